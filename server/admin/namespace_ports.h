#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/http/listener.h"
#include "server/system/own_port.h"

namespace magneto::server::admin {

// The ports of namespaces: one more listening address each, on the host of the main one.
// Thread-safe; connections are accepted on the thread of the event loop.
class NamespacePorts {
 public:
  static constexpr std::size_t kMost = 256;
  using OnConnection =
      std::function<void(int descriptor, std::shared_ptr<const system::OwnPort> port)>;

  // The event loop outlives it.
  NamespacePorts(std::string host, boost::asio::io_context& context, OnConnection on_connection)
      : host_(std::move(host)), context_(context), on_connection_(std::move(on_connection)) {}
  ~NamespacePorts();

  // Listens on `wanted`, or any free port for 0; the address, as "127.0.0.1:8001". May wait for a
  // name server. Throws ControlError.
  std::string open(system::OwnPort port, std::uint16_t wanted);
  // Refuses connections to the port of that namespace from now on. Those that are there stay.
  void close(std::uint64_t number);
  // Closes all, and opens no more.
  void stop();
  // Empty: it has none.
  std::string address_of(std::uint64_t number) const;

 private:
  struct Opened {
    std::string address;
    std::vector<std::shared_ptr<http::Listener>> listeners;
  };

  void end(Opened opened);

  const std::string host_;
  boost::asio::io_context& context_;
  const OnConnection on_connection_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::uint64_t, Opened> opened_;
  bool stopped_ = false;
};

}  // namespace magneto::server::admin
