#pragma once

#include <string>
#include <string_view>

#include "server/admin/mcp/tool.h"

namespace magneto::server::admin::mcp {

// The tool with this name; nullptr if there is none.
const Tool* find_tool(std::string_view name);

// The result of tools/list: {"tools": [{"name", "description", "inputSchema", "annotations"}, ...]}.
// `read_only`: only tools that change nothing.
const std::string& tool_list(bool read_only);

}  // namespace magneto::server::admin::mcp
