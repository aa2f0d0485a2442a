#include "tests/support/scripted_server.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace magneto::server {
namespace {

// The length of a request's body. The request's head ends at `head`.
std::size_t length_of(const std::string& request, std::size_t head) {
  const std::size_t field = request.find("Content-Length: ");
  return field < head ? std::stoul(request.substr(field + 16)) : 0;
}

// Receives the next request; empty if the client has gone.
std::string receive(int descriptor) {
  std::string request;
  std::string piece(64 << 10, '\0');
  while (true) {
    const std::size_t head = request.find("\r\n\r\n");
    if (head != std::string::npos && request.size() >= head + 4 + length_of(request, head)) {
      return request;
    }
    const ssize_t size = ::recv(descriptor, piece.data(), piece.size(), 0);
    if (size <= 0) return {};
    request.append(piece, 0, static_cast<std::size_t>(size));
  }
}

}  // namespace

ScriptedServer::ScriptedServer(Script script) : script_(std::move(script)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, any, size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, any, &size) != 0) {
    throw std::runtime_error("no port for a server of the test");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

ScriptedServer::~ScriptedServer() {
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  ::close(listener_);
  {
    const std::lock_guard lock(mutex_);
    for (const int descriptor : descriptors_) ::shutdown(descriptor, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
  for (const int descriptor : descriptors_) ::close(descriptor);
}

void ScriptedServer::accept_all() {
  while (true) {
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) return;
    const std::lock_guard lock(mutex_);
    descriptors_.push_back(descriptor);
    threads_.emplace_back([this, descriptor] { serve(descriptor); });
  }
}

void ScriptedServer::serve(int descriptor) {
  while (true) {
    const std::string request = receive(descriptor);
    if (request.empty()) break;
    const std::optional<std::string> answer = answer_to(request);
    if (!answer) break;
    ::send(descriptor, answer->data(), answer->size(), MSG_NOSIGNAL);
    if (answer->find("Connection: close") != std::string::npos) break;
  }
  ::shutdown(descriptor, SHUT_RDWR);
}

std::optional<std::string> ScriptedServer::answer_to(const std::string& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  return script_(request);
}

std::size_t ScriptedServer::connections() {
  const std::lock_guard lock(mutex_);
  return descriptors_.size();
}

std::vector<std::string> ScriptedServer::requests() {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::string http_answer(int status, std::string_view body, std::string_view fields) {
  return "HTTP/1.1 " + std::to_string(status) + " Any\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace magneto::server
