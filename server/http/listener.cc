#include "server/http/listener.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "server/system/log.h"
#include "server/system/log_messages.h"

namespace magneto::server::http {
namespace {

constexpr std::chrono::milliseconds kRetryDelay{100};

}  // namespace

Listener::Listener(boost::asio::io_context& context,
                   std::function<void(int descriptor)> on_connection)
    : acceptor_(context.get_executor()),
      retry_(context.get_executor()),
      on_connection_(std::move(on_connection)) {}

void Listener::start(system::Descriptor socket) {
  acceptor_.assign(boost::asio::ip::tcp::v4(), socket.release());
  wait();
}

void Listener::stop() {
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  retry_.cancel();
}

system::Descriptor Listener::release() {
  retry_.cancel();
  boost::system::error_code error;
  const int descriptor = acceptor_.release(error);
  return error ? system::Descriptor() : system::Descriptor(descriptor);
}

void Listener::wait() {
  acceptor_.async_wait(Acceptor::wait_read, [this](const boost::system::error_code& error) {
    if (!error) accept_all();
  });
}

void Listener::accept_all() {
  // A retry may run after the acceptor was closed.
  for (int i = 0; acceptor_.is_open(); ++i) {
    if (i == kAcceptedAtOnce) return wait();
    const int descriptor =
        ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) {
      starved_ = false;
      on_connection_(descriptor);
      continue;
    }
    switch (errno) {
      case EAGAIN:
        wait();
        return;
      case EMFILE:
      case ENFILE:
      case ENOBUFS:
      case ENOMEM:
        if (!std::exchange(starved_, true)) {
          system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning,
                               system::messages::kNoConnectionNow(std::strerror(errno)));
        }
        retry_.expires_after(kRetryDelay);
        retry_.async_wait([this](const boost::system::error_code& error) {
          if (!error) accept_all();
        });
        return;
      default:
        // The connection was lost before it was accepted (accept(2), "Error handling").
        continue;
    }
  }
}

}  // namespace magneto::server::http
