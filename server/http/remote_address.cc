#include "server/http/remote_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>

namespace magneto::server::http {

std::string remote_address(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    const auto& of = reinterpret_cast<const sockaddr_in&>(address);
    ::inet_ntop(AF_INET, &of.sin_addr, text.data(), text.size());
    return std::string(text.data()) + ":" + std::to_string(ntohs(of.sin_port));
  }
  const auto& of = reinterpret_cast<const sockaddr_in6&>(address);
  ::inet_ntop(AF_INET6, &of.sin6_addr, text.data(), text.size());
  return "[" + std::string(text.data()) + "]:" + std::to_string(ntohs(of.sin6_port));
}

}  // namespace magneto::server::http
