#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server/system/descriptor.h"

namespace magneto::server::http {

// What SO_SNDBUF and SO_RCVBUF of connections are set to.
inline constexpr std::size_t kSendBufferBytes = 256 * 1024;
inline constexpr std::size_t kReceiveBufferBytes = 128 * 1024;

// The address the server will serve: reserved first, so that a busy port is found before a data
// directory is touched, and listened on once requests can be answered.
//
// "localhost" is 127.0.0.1 and ::1, under one port, since clients take the one or the other for it
// (Node.js 17 to 19 only what the resolver names first); a machine without one of them has the
// other. "::" is every address of both families; where there is no IPv6, every one of IPv4.
class ListenSocket {
 public:
  // Reserves the address; port 0 takes any free one. Throws StartError.
  ListenSocket(const std::string& host, std::uint16_t port);

  // Clients can connect from now on. Hands over the non-blocking descriptors. Throws StartError.
  std::vector<system::Descriptor> listen() &&;

  std::uint16_t port() const { return port_; }
  // True when only this machine can reach the address.
  bool is_on_loopback() const;
  // "127.0.0.1:8000", "[::1]:8000".
  std::string address() const;

 private:
  std::string host_;
  std::vector<system::Descriptor> descriptors_;
  std::uint16_t port_ = 0;
};

}  // namespace magneto::server::http
