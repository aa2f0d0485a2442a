#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "server/system/descriptor.h"

namespace magneto::server::http {

// The values of SO_SNDBUF and SO_RCVBUF of connections.
inline constexpr std::size_t kSendBufferBytes = 256 * 1024;
inline constexpr std::size_t kReceiveBufferBytes = 128 * 1024;

// The address that the server will serve. The constructor reserves it, so that a busy port is found
// before a data directory is touched. listen() opens it once requests can be answered.
//
// "localhost" means both 127.0.0.1 and ::1, with the same port, since some clients use the one and
// some the other (Node.js 17 to 19 only the address that the resolver returns first). If the
// machine lacks one of them, the other is used. "::" means every address of both families, or every
// IPv4 address if the machine has no IPv6.
class ListenSocket {
 public:
  // Reserves the address; port 0 takes any free one. Throws StartError.
  ListenSocket(const std::string& host, std::uint16_t port);

  // From now on, clients can connect. Returns the non-blocking descriptors. Throws StartError. Call no
  // other function after it, except port() and address(), until put_back().
  std::vector<system::Descriptor> listen();
  // Takes the descriptors of listen() back. Clients that have connected wait until they are accepted.
  void put_back(std::vector<system::Descriptor> descriptors) {
    descriptors_ = std::move(descriptors);
  }

  std::uint16_t port() const { return port_; }
  // True if only this machine can reach the address.
  bool is_on_loopback() const;
  // "127.0.0.1:8000", "[::1]:8000".
  std::string address() const;

 private:
  std::string host_;
  std::vector<system::Descriptor> descriptors_;
  std::uint16_t port_ = 0;
};

}  // namespace magneto::server::http
