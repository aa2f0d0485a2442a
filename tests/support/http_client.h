#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace magneto::server {

struct HttpReply {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// One connection to a server on this machine. Sends bytes as they are given, so that tests can send
// what no decent client would. Every wait ends after thirty seconds with an exception.
class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port);
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

  int descriptor_;
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
