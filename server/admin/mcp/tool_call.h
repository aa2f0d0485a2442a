#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "api/namespaces/namespaces.h"
#include "api/profile.h"
#include "server/admin/control.h"
#include "server/admin/mcp/call_result.h"
#include "server/admin/mcp/tool.h"

namespace magneto::server::admin::mcp {

// The parts of the server that tools use. They outlive all calls.
struct Backend {
  api::Namespaces& namespaces;
  const Control& control;
  api::Profile profile = api::Profile::kAws;
};

// The connection of an agent.
struct Connection {
  bool read_only = false;
  std::string version;          // of the protocol, one of protocol.h
  std::string endpoint;         // the URL of this server for AWS SDKs
  std::string_view request_id;  // for the log of faults
  int descriptor = -1;          // of the client's socket; -1: none
};

// One call of a tool, with arguments whose names are checked. Calls throw api::ControlError and
// api::NamespaceError for a request that is refused. They run on a thread that may wait.
class ToolCall {
 public:
  ToolCall(const Backend& backend, const Connection& connection, api::json::Object arguments)
      : backend_(backend), connection_(connection), arguments_(arguments) {}

  api::json::Object arguments() const { return arguments_; }
  const Connection& connection() const { return connection_; }
  // The argument `namespace`, or main.
  std::string name_space() const;

  // Calls an operation such as "PutItem", for the caller of the arguments. Fault rules of the
  // namespace apply.
  CallResult operate(const std::string& name_space, std::string_view operation,
                     std::string body) const;
  // Calls a route of the control interface. `names`: for each {} of the pattern.
  CallResult control(http::Method method, std::string_view pattern, std::vector<std::string> names,
                     std::string body = {}, std::string query = {}) const;

 private:
  void carry_out(const api::FaultVerdict& verdict) const;
  bool is_over() const;

  const Backend& backend_;
  const Connection& connection_;
  const api::json::Object arguments_;
};

// Carries out a tool of any kind. Throws as ToolCall does.
CallResult run_tool(const Tool& tool, ToolCall& call);

}  // namespace magneto::server::admin::mcp
