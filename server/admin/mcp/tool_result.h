#pragma once

#include <string>
#include <string_view>

#include "server/admin/mcp/call_result.h"
#include "server/admin/mcp/tool.h"

namespace magneto::server::admin::mcp {

// The result of tools/call: the answer as text and as structuredContent. A failed call has the
// sentence of the service as its text, and isError. `endpoint`: shown by server_status.
std::string tool_result(const Tool& tool, const CallResult& answered, std::string_view endpoint);

// A call that was refused, with the reason.
std::string tool_refusal(std::string_view sentence);

}  // namespace magneto::server::admin::mcp
