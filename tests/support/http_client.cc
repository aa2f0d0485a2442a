#include "tests/support/http_client.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <stdexcept>
#include <utility>

namespace magneto::server {
namespace {

constexpr std::chrono::milliseconds kPatience{30'000};

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

HttpClient::HttpClient(std::uint16_t port) : descriptor_(connect_to(port)) {}

HttpClient::~HttpClient() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void HttpClient::send(std::string_view bytes) {
  if (!try_send(bytes)) throw std::runtime_error("the server hung up");
}

bool HttpClient::try_send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void HttpClient::shut_down_sending() { ::shutdown(descriptor_, SHUT_WR); }

void HttpClient::reset() {
  const linger at_once{1, 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(std::exchange(descriptor_, -1));
}

bool HttpClient::fill() {
  if (!is_ready(descriptor_, POLLIN, kPatience)) throw std::runtime_error("no answer in time");
  std::array<char, 65536> chunk;
  const ssize_t size = ::recv(descriptor_, chunk.data(), chunk.size(), 0);
  if (size <= 0) return false;
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
  if (!received_.empty() || !is_ready(descriptor_, POLLIN, time)) return false;
  char byte;
  return ::recv(descriptor_, &byte, 1, 0) <= 0;
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
