#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>

#include "server/system/descriptor.h"

namespace magneto::server::http {

// Accepts connections on one socket. Runs on the thread of its event loop.
class Listener {
 public:
  // Connections are passed on as non-blocking descriptors; the receiver owns them.
  Listener(boost::asio::io_context& context, std::function<void(int descriptor)> on_connection);

  // Takes over a listening socket and begins to accept connections.
  void start(system::Descriptor socket);
  // Stops accepting connections.
  void stop();
  // Stops accepting connections, and gives the socket back, which goes on to listen. An empty
  // descriptor on an error.
  system::Descriptor release();

 private:
  using Executor = boost::asio::io_context::executor_type;
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;
  using Timer = boost::asio::basic_waitable_timer<
      std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

  static constexpr int kAcceptedAtOnce = 64;  // then other work of the thread has its turn

  void wait();
  void accept_all();

  Acceptor acceptor_;
  Timer retry_;
  bool starved_ = false;  // the last accept failed for lack of descriptors or memory
  std::function<void(int descriptor)> on_connection_;
};

}  // namespace magneto::server::http
