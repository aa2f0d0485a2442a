#include "server/client/endpoint/outgoing_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>

#include "server/client/endpoint/messages.h"

namespace magneto::server::client {
namespace {

using ConnectionFault = ConnectionError::Kind;
using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

std::string text_of_error(int error) { return std::generic_category().message(error); }

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

Addresses look_up(const EndpointUrl& url, const std::string& address) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int result = ::getaddrinfo(url.host.c_str(), url.port.c_str(), &wanted, &found);
  if (result != 0) {
    const std::string why = result == EAI_SYSTEM ? text_of_error(errno) : ::gai_strerror(result);
    throw ConnectionError(ConnectionFault::kUnreachable, messages::kCannotConnect(address, why));
  }
  return {found, &::freeaddrinfo};
}

void set_option(int socket, int option) {
  const int on = 1;
  static_cast<void>(::setsockopt(socket, IPPROTO_TCP, option, &on, sizeof on));
}

}  // namespace

OutgoingSocket::OutgoingSocket(const EndpointUrl& url, std::chrono::milliseconds time,
                               const std::function<bool()>& is_over)
    : address_(url.text()) {
  const Addresses found = look_up(url, address_);
  std::optional<ConnectionError> failure;
  // Tries the addresses one after the other, each with its own time: the first may lead nowhere.
  for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
    try {
      Patience patience(time, is_over);
      connect_to(*one, patience);
      set_option(socket_.get(), TCP_NODELAY);
      return;
    } catch (const ConnectionError& error) {
      failure = error;
      if (is_over()) break;
    }
  }
  throw failure.value();
}

void OutgoingSocket::connect_to(const addrinfo& address, Patience& patience) {
  socket_ = system::Descriptor(::socket(
      address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol));
  if (socket_.get() < 0) lose(errno);
  if (::connect(socket_.get(), address.ai_addr, address.ai_addrlen) == 0) return;
  if (errno != EINPROGRESS) lose(errno);
  wait(POLLOUT, patience);
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) lose(error);
}

void OutgoingSocket::look(Patience& patience) const {
  const Patience::State state = patience.look();
  if (state == Patience::State::kIsOver) lose(ECANCELED);
  if (state == Patience::State::kGoesOn) return;
  if (!is_ready_) lose(ETIMEDOUT);
  throw ConnectionError(ConnectionFault::kTimedOut,
                        messages::kLostConnection(address_, text_of_error(ETIMEDOUT)));
}

void OutgoingSocket::wait(short events, Patience& patience) {
  while (true) {
    look(patience);
    pollfd waits{.fd = socket_.get(), .events = events, .revents = 0};
    const int ready = ::poll(&waits, 1, patience.pause().count());
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) lose(errno);
  }
}

void OutgoingSocket::acknowledge_at_once() {
  set_option(socket_.get(), TCP_QUICKACK);  // the system forgets this setting
}

void OutgoingSocket::lose(std::string_view why) const {
  if (is_ready_) {
    throw ConnectionError(ConnectionFault::kLost, messages::kLostConnection(address_, why));
  }
  throw ConnectionError(ConnectionFault::kUnreachable, messages::kCannotConnect(address_, why));
}

void OutgoingSocket::lose(int error) const { lose(text_of_error(error)); }

std::size_t OutgoingSocket::read(std::span<char> into, Patience& patience) {
  while (true) {
    look(patience);
    const ssize_t size = ::recv(socket_.get(), into.data(), into.size(), 0);
    if (size >= 0) return static_cast<std::size_t>(size);
    if (would_block(errno)) {
      wait(POLLIN, patience);
    } else if (errno != EINTR) {
      lose(errno);
    }
  }
}

void OutgoingSocket::write(std::string_view bytes, Patience& patience) {
  while (!bytes.empty()) {
    look(patience);
    const ssize_t size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(size));
    } else if (would_block(errno)) {
      wait(POLLOUT, patience);
    } else if (errno != EINTR) {
      lose(errno);
    }
  }
  acknowledge_at_once();
}

bool OutgoingSocket::is_stale() {
  char byte = 0;
  const ssize_t size = ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size >= 0 || (!would_block(errno) && errno != EINTR);
}

}  // namespace magneto::server::client
