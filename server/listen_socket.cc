#include "server/listen_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace magneto::server {
namespace {

[[noreturn]] void fail_listen(int error, const std::string& host, std::uint16_t port) {
  const std::string at = "port " + std::to_string(port) + " on " + host;
  switch (error) {
    case EADDRINUSE:
      throw StartError(at +
                       " is already in use; stop the program that holds it or choose another "
                       "port with --port");
    case EACCES:
      throw StartError("no permission to listen on " + at +
                       "; choose a port above 1023 with --port");
    case EADDRNOTAVAIL:
      throw StartError(host + " is not an address of this machine; choose one with --host");
    default:
      throw StartError("cannot listen on " + at + ": " + std::strerror(error));
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
  // localhost is this machine also where no file or name server says so (RFC 6761, section 6.3).
  const char* name = host == "localhost" ? "127.0.0.1" : host.c_str();
  const int error = getaddrinfo(name, std::to_string(port).c_str(), &hints, &found);
  if (error != 0) {
    throw StartError("cannot find the address of host '" + host + "' (" + gai_strerror(error) +
                     "); give an address of this machine with --host");
  }
  return AddressList(found);
}

// A bound descriptor, or -1 with errno set.
int bind_one(const addrinfo& address) {
  const int descriptor =
      ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (descriptor < 0) return -1;
  const int on = 1;
  const int off = 0;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Accepted sockets inherit these. The system would let a buffer grow to megabytes; it takes twice
  // what it is told (socket(7)).
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  constexpr int kSend = kSendBufferBytes;
  constexpr int kReceive = kReceiveBufferBytes;
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &kSend, sizeof kSend);
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &kReceive, sizeof kReceive);
  if (address.ai_family == AF_INET6) {
    ::setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  }
  if (::bind(descriptor, address.ai_addr, address.ai_addrlen) == 0) return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

int bind_any(const std::string& host, std::uint16_t port) {
  int error = 0;
  const AddressList list = resolve(host, port);
  for (const addrinfo* address = list.get(); address != nullptr; address = address->ai_next) {
    const int descriptor = bind_one(*address);
    if (descriptor >= 0) return descriptor;
    error = errno;
    // Another address of the name would split its clients between two servers.
    if (error == EADDRINUSE) break;
  }
  fail_listen(error, host, port);
}

// Of family AF_UNSPEC when the system does not tell.
sockaddr_storage bound_address(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  return address;
}

std::uint16_t port_of(int descriptor) {
  const sockaddr_storage address = bound_address(descriptor);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

ListenSocket::ListenSocket(const std::string& host, std::uint16_t port)
    : host_(host), descriptor_(bind_any(host, port)), port_(port_of(descriptor_)) {}

ListenSocket::~ListenSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

ListenSocket::ListenSocket(ListenSocket&& other) noexcept
    : host_(std::move(other.host_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      port_(other.port_) {}

int ListenSocket::listen() && {
  if (::listen(descriptor_, SOMAXCONN) != 0) fail_listen(errno, host_, port_);
  return std::exchange(descriptor_, -1);
}

bool ListenSocket::is_on_loopback() const {
  const sockaddr_storage address = bound_address(descriptor_);
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

}  // namespace magneto::server
