#pragma once

#include "api/control_error.h"
#include "server/admin/controlled_server.h"
#include "server/admin/messages.h"

namespace magneto::server::admin {

// A server for the control interface, without sockets and counts.
class IdleServer final : public ControlledServer {
 public:
  ServerStatistics statistics() const override { return {}; }
  http::RequestTotals request_totals() const override { return {}; }
  bool is_stopping() const override { return false; }
  std::string open_port(const api::NamespaceDescription&, std::uint16_t) override {
    throw api::ControlError(messages::kTooManyPorts(0), 507);
  }
  std::string url_of(const api::NamespaceDescription&) const override { return {}; }
};

}  // namespace magneto::server::admin
