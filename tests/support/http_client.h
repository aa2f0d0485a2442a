#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

struct ssl_st;

namespace magneto::server {

// Whether the tests' servers and clients use TLS by default: true if MAGNETO_TESTS_OVER_TLS is set.
// So the tests of plain HTTP can run again over TLS.
bool tests_speak_tls();

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// One connection to a server on this machine. Sends bytes unchanged, so that tests can send invalid
// requests. Every wait ends with an exception after two minutes.
class HttpClient {
 public:
  // With TLS, nothing is verified, and the handshake is done at once.
  explicit HttpClient(std::uint16_t port, bool tls = tests_speak_tls());
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void send(std::string_view bytes);
  // False if the server has closed the connection.
  bool try_send(std::string_view bytes);
  void shut_down_sending();
  // Closes both directions at once, like a process that dies with unread data.
  void reset();

  // The next response. `has_body` is false for the answer to HEAD. Throws if the connection ends
  // before the response is complete.
  HttpReply receive(bool has_body = true);
  // True if the server closes the connection within the time and sends nothing more.
  bool hangs_up_within(std::chrono::milliseconds time);

  HttpReply exchange(std::string_view bytes) {
    send(bytes);
    return receive();
  }

 private:
  bool fill();
  bool shake_hands();
  void end_tls();
  // Like recv(2) and send(2), but wait for at most `time`, then return -1.
  long receive_some(char* into, std::size_t size, std::chrono::milliseconds time);
  long send_some(std::string_view bytes);

  int descriptor_;
  std::mutex mutex_;  // guards tls_: a test may send on one thread and receive on another
  ssl_st* tls_ = nullptr;
  std::string received_;
};

// An Authorization header, with the date header that it needs, that every server in shape mode
// accepts.
std::string signature_headers(std::string_view access_key = "test");

// A complete POST request. `headers` are lines that end in CRLF and come first. Host, Content-Type,
// X-Amz-Target ("DynamoDB_20120810." + operation), signature and Content-Length follow.
std::string post_request(std::string_view operation, std::string_view body,
                         std::string_view headers = {});

}  // namespace magneto::server
