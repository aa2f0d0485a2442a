#pragma once

#include <cstdint>
#include <string>

#include "api/namespaces/namespace.h"
#include "server/admin/metrics/server_statistics.h"
#include "server/http/request_counts.h"

namespace magneto::server::admin {

// The functions of the server that control needs. Thread-safe.
class ControlledServer {
 public:
  virtual ~ControlledServer() = default;

  virtual ServerStatistics statistics() const = 0;
  virtual http::RequestTotals request_totals() const = 0;
  virtual bool is_stopping() const = 0;

  // Opens a port for this namespace and returns its URL. `wanted`: the port number, or 0 for any
  // free one. The port is closed when the namespace is removed. Throws ControlError.
  virtual std::string open_port(const api::NamespaceDescription& space, std::uint16_t wanted) = 0;
  // Returns an empty string if the namespace has no port.
  virtual std::string url_of(const api::NamespaceDescription& space) const = 0;
};

}  // namespace magneto::server::admin
