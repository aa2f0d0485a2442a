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

// The additional ports of namespaces, on the host of the main port. Thread-safe. Connections are
// accepted on the thread of the event loop.
class NamespacePorts {
 public:
  static constexpr std::size_t kMost = 256;
  using OnConnection =
      std::function<void(int descriptor, std::shared_ptr<const system::OwnPort> port)>;

  // The event loop must outlive this object.
  NamespacePorts(std::string host, boost::asio::io_context& context, OnConnection on_connection)
      : host_(std::move(host)), context_(context), on_connection_(std::move(on_connection)) {}
  ~NamespacePorts();

  // Listens on the port `wanted`; 0: any free one. Returns the address, such as "127.0.0.1:8001".
  // May wait for a name server. Throws ControlError.
  std::string open(system::OwnPort port, std::uint16_t wanted);
  // Refuses new connections to the port of that namespace. Existing ones stay open.
  void close(std::uint64_t number);
  // Closes all ports, and opens no more.
  void stop();
  // Returns an empty string if the namespace has no port.
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
  mutable std::mutex mutex_;  // guards the members below
  std::map<std::uint64_t, Opened> opened_;
  bool stopped_ = false;
};

}  // namespace magneto::server::admin
