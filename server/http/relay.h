#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>

#include "server/client/endpoint/endpoint_url.h"
#include "server/system/coroutine.h"
#include "server/system/worker_pool.h"

namespace magneto::server::http {

// Passes the bytes of whole connections on to another server, and its bytes back. Knows nothing of
// their content. For the thread of its event loop, except where noted.
class Relay {
 public:
  // The time to reach the other server.
  static constexpr std::chrono::milliseconds kConnectTime{1000};
  // Each connection has two buffers of this size, and two descriptors.
  static constexpr std::size_t kBufferBytes = 16 * 1024;

  // `workers` resolve names and connect. `otherwise` takes over a client's connection if the other
  // server cannot be reached.
  Relay(boost::asio::io_context& context, system::WorkerPool& workers,
        std::function<void(int descriptor)> otherwise);
  ~Relay();

  // Takes over a connected, non-blocking socket.
  void open(int descriptor, client::EndpointUrl target);
  // Closes all connections. Those that are being made end without an answer.
  void close_all();
  // Connections that are open or being made.
  std::size_t size() const { return size_; }

 private:
  struct Pair;

  system::Task run(int descriptor, client::EndpointUrl target);
  system::Task pump(std::shared_ptr<Pair> pair, system::Socket& from, system::Socket& to);
  void end_pump(const std::shared_ptr<Pair>& pair);

  boost::asio::io_context& context_;
  system::WorkerPool& workers_;
  const std::function<void(int)> otherwise_;
  std::set<std::shared_ptr<Pair>> pairs_;
  std::size_t size_ = 0;
  std::size_t closings_ = 0;  // calls of close_all()
};

}  // namespace magneto::server::http
