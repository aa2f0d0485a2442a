#pragma once

#include <string>

#include "server/admin/mcp/remote_options.h"
#include "server/client/endpoint/http_connection.h"

namespace magneto::server::admin::mcp {

// /_/mcp of a running server. For one thread.
class RemoteAgentServer {
 public:
  // Throws std::runtime_error for certificates that cannot be read.
  explicit RemoteAgentServer(RemoteOptions options);

  // Passes a message on, once, and returns the answer; empty: there is none. If no answer of MCP
  // comes, the answer is an error that says why. A notification that is lost is logged.
  std::string answer(std::string& message, const std::string& version);

 private:
  const RemoteOptions options_;
  client::HttpConnection connection_;
};

}  // namespace magneto::server::admin::mcp
