#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace magneto::server {

// A server of plain HTTP on all addresses of this machine. A test makes its answers, including
// invalid ones.
class ScriptedServer {
 public:
  // Receives a complete request, head and body; the bytes that it returns are sent unchanged.
  // nullopt closes the connection without an answer. Each connection's thread calls it, one at a
  // time.
  using Script = std::function<std::optional<std::string>(const std::string& request)>;

  explicit ScriptedServer(Script script);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url(std::string_view host = "127.0.0.1") const {
    return "http://" + std::string(host) + ":" + std::to_string(port_);
  }
  std::size_t connections();
  std::vector<std::string> requests();

 private:
  void accept_all();
  void serve(int descriptor);
  std::optional<std::string> answer_to(const std::string& request);

  const Script script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;  // guards the members below, except acceptor_
  std::vector<int> descriptors_;
  std::vector<std::thread> threads_;
  std::vector<std::string> requests_;
  std::thread acceptor_;
};

// Answers that are not final (RFC 9110, 15.2). A server may send them before its answer.
inline constexpr std::string_view kInterimAnswers =
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";

// An answer with the right Content-Length; `fields` are lines that end in CRLF.
std::string http_answer(int status, std::string_view body, std::string_view fields = {});

}  // namespace magneto::server
