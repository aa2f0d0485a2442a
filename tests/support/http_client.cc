#include "tests/support/http_client.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace magneto::server {
namespace {

constexpr std::chrono::milliseconds kPatience{120'000};

int connect_to(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(descriptor);
    throw std::runtime_error("cannot connect to port " + std::to_string(port));
  }
  return descriptor;
}

bool is_ready(int descriptor, short events, std::chrono::milliseconds time) {
  pollfd entry{descriptor, events, 0};
  return ::poll(&entry, 1, static_cast<int>(time.count())) == 1;
}

SSL_CTX* tls_context() {
  static SSL_CTX* const context = [] {
    std::signal(SIGPIPE, SIG_IGN);
    SSL_CTX* const made = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_mode(made, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_ENABLE_PARTIAL_WRITE);
    return made;
  }();
  return context;
}

// The event that a call of OpenSSL must wait for; 0 if the call failed.
short awaited_event(const SSL* tls, int result) {
  switch (SSL_get_error(tls, result)) {
    case SSL_ERROR_WANT_READ:
      return POLLIN;
    case SSL_ERROR_WANT_WRITE:
      return POLLOUT;
    default:
      return 0;
  }
}

std::map<std::string, std::string> parse_headers(std::string_view lines) {
  std::map<std::string, std::string> headers;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find("\r\n"));
    lines.remove_prefix(std::min(lines.size(), line.size() + 2));
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) throw std::runtime_error("bad header line");
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!headers.emplace(name, line.substr(colon + 2)).second) {
      throw std::runtime_error("repeated header " + name);
    }
  }
  return headers;
}

}  // namespace

bool tests_speak_tls() {
  static const bool speak = std::getenv("MAGNETO_TESTS_OVER_TLS") != nullptr;
  return speak;
}

HttpClient::HttpClient(std::uint16_t port, bool tls) : descriptor_(connect_to(port)) {
  if (!tls) return;
  ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);
  tls_ = SSL_new(tls_context());
  SSL_set_fd(tls_, descriptor_);
  if (shake_hands()) return;
  end_tls();
  ::close(descriptor_);
  throw std::runtime_error("no TLS handshake with port " + std::to_string(port));
}

HttpClient::~HttpClient() {
  end_tls();
  if (descriptor_ >= 0) ::close(descriptor_);
}

void HttpClient::end_tls() { SSL_free(std::exchange(tls_, nullptr)); }

bool HttpClient::shake_hands() {
  for (;;) {
    const int result = SSL_connect(tls_);
    if (result == 1) return true;
    const short event = awaited_event(tls_, result);
    if (event == 0 || !is_ready(descriptor_, event, kPatience)) return false;
  }
}

long HttpClient::receive_some(char* into, std::size_t size, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    if (tls_ == nullptr) {
      if (!is_ready(descriptor_, POLLIN, time)) return -1;
      return std::max<long>(::recv(descriptor_, into, size, 0), 0);
    }
    std::size_t read = 0;
    std::unique_lock lock(mutex_);
    const int result = SSL_read_ex(tls_, into, size, &read);
    if (result == 1) return static_cast<long>(read);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    const short event = awaited_event(tls_, result);
    lock.unlock();
    if (event == 0) return 0;
    if (left.count() < 0 || !is_ready(descriptor_, event, left)) return -1;
  }
}

long HttpClient::send_some(std::string_view bytes) {
  if (tls_ == nullptr) return ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  for (;;) {
    std::size_t written = 0;
    std::unique_lock lock(mutex_);
    const int result = SSL_write_ex(tls_, bytes.data(), bytes.size(), &written);
    if (result == 1) return static_cast<long>(written);
    const short event = awaited_event(tls_, result);
    lock.unlock();
    if (event == 0 || !is_ready(descriptor_, event, std::chrono::hours(1))) return -1;
  }
}

void HttpClient::send(std::string_view bytes) {
  if (!try_send(bytes)) throw std::runtime_error("the server hung up");
}

bool HttpClient::try_send(std::string_view bytes) {
  while (!bytes.empty()) {
    const long sent = send_some(bytes);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void HttpClient::shut_down_sending() {
  if (tls_ != nullptr) SSL_shutdown(tls_);
  ::shutdown(descriptor_, SHUT_WR);
}

void HttpClient::reset() {
  const linger at_once{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(std::exchange(descriptor_, -1));
}

bool HttpClient::fill() {
  std::array<char, 65536> chunk;
  const long size = receive_some(chunk.data(), chunk.size(), kPatience);
  if (size < 0) throw std::runtime_error("no answer in time");
  if (size == 0) return false;
  received_.append(chunk.data(), static_cast<std::size_t>(size));
  return true;
}

HttpReply HttpClient::receive(bool has_body) {
  std::size_t end;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) throw std::runtime_error("the connection ended before a response");
  }
  const std::string head = received_.substr(0, end);
  received_.erase(0, end + 4);
  if (!head.starts_with("HTTP/1.1 ")) throw std::runtime_error("bad status line: " + head);
  HttpReply reply;
  reply.status = std::stoi(head.substr(9, 3));
  const std::size_t line = head.find("\r\n");
  if (line != std::string::npos)
    reply.headers = parse_headers(std::string_view(head).substr(line + 2));
  const auto length = reply.headers.find("content-length");
  if (!has_body || length == reply.headers.end()) return reply;
  const std::size_t size = std::stoul(length->second);
  while (received_.size() < size) {
    if (!fill()) throw std::runtime_error("the connection ended within a body");
  }
  reply.body = received_.substr(0, size);
  received_.erase(0, size);
  return reply;
}

bool HttpClient::hangs_up_within(std::chrono::milliseconds time) {
  char byte = 0;
  return received_.empty() && receive_some(&byte, 1, time) == 0;
}

std::string signature_headers(std::string_view access_key) {
  return "X-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=" +
         std::string(access_key) +
         "/20260101/eu-west-2/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, "
         "Signature=0123456789abcdef\r\n";
}

std::string post_request(std::string_view operation, std::string_view body,
                         std::string_view headers) {
  return "POST / HTTP/1.1\r\n" + std::string(headers) +
         "Host: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
         "X-Amz-Target: DynamoDB_20120810." +
         std::string(operation) + "\r\n" + signature_headers() +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace magneto::server
