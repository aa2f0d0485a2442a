#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace magneto::server {

// What SO_SNDBUF and SO_RCVBUF of connections are set to.
inline constexpr std::size_t kSendBufferBytes = 256 * 1024;
inline constexpr std::size_t kReceiveBufferBytes = 128 * 1024;

// The server cannot start; what() is a sentence for the user that says what to do.
class StartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The address the server will serve: reserved first, so that a busy port is found before a data
// directory is touched, and listened on once requests can be answered.
class ListenSocket {
 public:
  // Reserves the address; port 0 takes any free one. Throws StartError.
  ListenSocket(const std::string& host, std::uint16_t port);
  ~ListenSocket();
  ListenSocket(ListenSocket&& other) noexcept;
  ListenSocket& operator=(ListenSocket&&) = delete;

  // Clients can connect from now on. Hands over the non-blocking descriptor. Throws StartError.
  int listen() &&;

  std::uint16_t port() const { return port_; }
  // True when only this machine can reach the address.
  bool is_on_loopback() const;
  // "127.0.0.1:8000", "[::1]:8000".
  std::string address() const;

 private:
  std::string host_;
  int descriptor_;
  std::uint16_t port_;
};

}  // namespace magneto::server
