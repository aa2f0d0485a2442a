#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

struct ssl_st;

namespace magneto::server {

// Whether servers and clients of the tests speak TLS unless they say otherwise: so it is where
// MAGNETO_TESTS_OVER_TLS is set, for the tests of plain HTTP to be run again.
bool tests_speak_tls();

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// One connection to a server on this machine. Sends bytes as they are given, so that tests can send
// what no decent client would. Every wait ends after two minutes with an exception.
class HttpClient {
 public:
  // By TLS nothing is verified; the handshake is done at once.
  explicit HttpClient(std::uint16_t port, bool tls = tests_speak_tls());
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void send(std::string_view bytes);
  // False when the server has hung up.
  bool try_send(std::string_view bytes);
  void shut_down_sending();
  // Ends the connection for both sides at once, as a process that dies with unread data.
  void reset();

  // The next response. `has_body` is false for the answer to HEAD. Throws when the connection ends
  // before it is whole.
  HttpReply receive(bool has_body = true);
  // True when the server hangs up within the time without sending anything more.
  bool hangs_up_within(std::chrono::milliseconds time);

  HttpReply exchange(std::string_view bytes) {
    send(bytes);
    return receive();
  }

 private:
  bool fill();
  bool shake_hands();
  void end_tls();
  // As recv(2) and send(2), after waiting for as long as the time allows; -1 then.
  long receive_some(char* into, std::size_t size, std::chrono::milliseconds time);
  long send_some(std::string_view bytes);

  int descriptor_;
  std::mutex mutex_;  // guards tls_, as a test may send on one thread and receive on another
  ssl_st* tls_ = nullptr;
  std::string received_;
};

// An Authorization header, and the date header that goes with it, that any server in shape mode
// takes.
std::string signature_headers(std::string_view access_key = "test");

// A whole POST request: `headers` are lines that end in CRLF and come first; Host, Content-Type,
// X-Amz-Target ("DynamoDB_20120810." + operation), signature and Content-Length follow.
std::string post_request(std::string_view operation, std::string_view body,
                         std::string_view headers = {});

}  // namespace magneto::server
