#include "server/http/listen_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include "server/http/listen_messages.h"
#include "server/system/start_error.h"

namespace magneto::server::http {
namespace {

[[noreturn]] void fail_listen(int error, const std::string& host, std::uint16_t port) {
  switch (error) {
    case EADDRINUSE:
      throw system::StartError(messages::kPortInUse(port, host));
    case EACCES:
      throw system::StartError(messages::kPortDenied(port, host));
    case EADDRNOTAVAIL:
      throw system::StartError(messages::kNotAnAddress(host));
    default:
      throw system::StartError(messages::kCannotListen(port, host, std::strerror(error)));
  }
}

struct AddressListDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using AddressList = std::unique_ptr<addrinfo, AddressListDeleter>;

AddressList resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0) {
    throw system::StartError(messages::kUnknownHost(host, gai_strerror(error)));
  }
  return AddressList(found);
}

// A bound descriptor, or an empty one with errno set. `both`: an IPv6 socket accepts IPv4 clients
// too.
system::Descriptor bind_one(const addrinfo& address, bool both) {
  system::Descriptor descriptor(
      ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  if (descriptor.get() < 0) return descriptor;
  const auto set = [&descriptor](int level, int option, int value) {
    ::setsockopt(descriptor.get(), level, option, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_REUSEADDR, 1);
  // Accepted sockets inherit these. The system would let a buffer grow to megabytes; it allocates
  // twice the requested size (socket(7)).
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_SNDBUF, kSendBufferBytes);
  set(SOL_SOCKET, SO_RCVBUF, kReceiveBufferBytes);
  if (address.ai_family == AF_INET6) set(IPPROTO_IPV6, IPV6_V6ONLY, both ? 0 : 1);
  if (::bind(descriptor.get(), address.ai_addr, address.ai_addrlen) == 0) return descriptor;
  const int error = errno;
  descriptor = system::Descriptor();
  errno = error;
  return descriptor;
}

system::Descriptor bind_any(const std::string& host, std::uint16_t port) {
  int error = 0;
  const AddressList list = resolve(host, port);
  for (const addrinfo* address = list.get(); address != nullptr; address = address->ai_next) {
    system::Descriptor descriptor = bind_one(*address, true);
    if (descriptor.get() >= 0) return descriptor;
    error = errno;
    // If the port is busy, do not try the name's other addresses: clients would be split between
    // two servers.
    if (error == EADDRINUSE) break;
  }
  fail_listen(error, host, port);
}

bool is_absent(int error) { return error == EAFNOSUPPORT || error == EADDRNOTAVAIL; }

// The address has family AF_UNSPEC if the system returns none.
sockaddr_storage bound_address(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  return address;
}

std::uint16_t port_of(int descriptor) {
  const sockaddr_storage address = bound_address(descriptor);
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  in_port_t port = 0;
  std::memcpy(&port, reinterpret_cast<const char*>(&address) + offsetof(sockaddr_in, sin_port),
              sizeof port);
  return ntohs(port);
}

// Binds both loopback addresses, or the one that exists. Returns an empty list if the second is
// busy and `port` is 0, so that any other port would do.
std::vector<system::Descriptor> bind_loopback(std::uint16_t port) {
  std::vector<system::Descriptor> bound;
  int error = 0;
  std::uint16_t taken = port;
  for (const char* const host : {"127.0.0.1", "::1"}) {
    system::Descriptor descriptor = bind_one(*resolve(host, taken), false);
    if (descriptor.get() >= 0) {
      if (taken == 0) taken = port_of(descriptor.get());
      bound.push_back(std::move(descriptor));
      continue;
    }
    error = errno;
    if (is_absent(error)) continue;
    if (port == 0 && !bound.empty() && error == EADDRINUSE) return {};
    fail_listen(error, host, port);
  }
  if (bound.empty()) fail_listen(error, "localhost", port);
  return bound;
}

std::vector<system::Descriptor> bind_both_loopbacks(std::uint16_t port) {
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    std::vector<system::Descriptor> bound = bind_loopback(port);
    if (!bound.empty()) return bound;
  }
  fail_listen(EADDRINUSE, "localhost", port);
}

bool has_ip_v6() {
  return system::Descriptor(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)).get() >= 0;
}

}  // namespace

ListenSocket::ListenSocket(const std::string& host, std::uint16_t port)
    : host_(host == "::" && !has_ip_v6() ? "0.0.0.0" : host) {
  // RFC 6761, section 6.3: localhost is this machine even if no file or name server says so.
  if (host == "localhost") {
    descriptors_ = bind_both_loopbacks(port);
  } else {
    descriptors_.push_back(bind_any(host_, port));
  }
  port_ = port_of(descriptors_.front().get());
}

std::vector<system::Descriptor> ListenSocket::listen() {
  for (const system::Descriptor& descriptor : descriptors_) {
    if (::listen(descriptor.get(), SOMAXCONN) != 0) fail_listen(errno, host_, port_);
  }
  return std::move(descriptors_);
}

bool ListenSocket::is_on_loopback() const {
  const sockaddr_storage address = bound_address(descriptors_.front().get());
  if (address.ss_family == AF_INET6) {
    const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
  }
  const in_addr& v4 = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  return address.ss_family == AF_INET && (ntohl(v4.s_addr) >> 24) == 127;
}

std::string ListenSocket::address() const {
  const bool is_v6 = host_.find(':') != std::string::npos;
  return (is_v6 ? "[" + host_ + "]" : host_) + ":" + std::to_string(port_);
}

}  // namespace magneto::server::http
