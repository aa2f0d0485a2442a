#pragma once

#include <cstdint>
#include <string>

#include "api/namespaces/namespace.h"
#include "server/metrics/request_counts.h"
#include "server/metrics/server_statistics.h"

namespace magneto::server {

// What control asks of the server around it. Thread-safe.
class ControlledServer {
 public:
  virtual ~ControlledServer() = default;

  virtual ServerStatistics statistics() const = 0;
  virtual RequestTotals request_totals() const = 0;
  virtual bool is_stopping() const = 0;

  // Opens a port that leads to this namespace, `wanted` or any free one for 0, and returns its URL.
  // It is closed when the namespace is removed. Throws ControlError.
  virtual std::string open_port(const api::NamespaceDescription& space, std::uint16_t wanted) = 0;
  // Empty: it has none.
  virtual std::string url_of(const api::NamespaceDescription& space) const = 0;
};

}  // namespace magneto::server
