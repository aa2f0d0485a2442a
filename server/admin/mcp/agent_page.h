#pragma once

#include <string_view>

#include "server/admin/control.h"
#include "server/admin/mcp/access.h"
#include "server/admin/mcp/agent_server.h"
#include "server/http/page_handler.h"

namespace magneto::server::admin::mcp {

// /_/mcp: MCP's streamable HTTP transport, stateless. Each POST is one message, and its answer is
// JSON. All other paths of the control interface are those of Control, whose rules about senders and
// the token hold here too. Thread-safe.
class AgentPage final : public http::PageHandler {
 public:
  // `control` must outlive the object.
  AgentPage(const Control& control, AgentServer server, Access access, bool speaks_tls)
      : control_(control), server_(std::move(server)), access_(access), speaks_tls_(speaks_tls) {}

  bool owns(std::string_view path) const override { return control_.owns(path); }
  void answer(std::string_view request_id, const http::AccessRules& access,
              http::HttpRequest& request, http::HttpResponse& response) const override;

  const AgentServer& server() const { return server_; }

 private:
  void answer_agent(std::string_view request_id, const http::AccessRules& access,
                    http::HttpRequest& request, http::HttpResponse& response) const;

  const Control& control_;
  const AgentServer server_;
  const Access access_;
  const bool speaks_tls_;
};

}  // namespace magneto::server::admin::mcp
