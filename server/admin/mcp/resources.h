#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/admin/mcp/tool_call.h"

// The resources of MCP: the description of each table, as magneto://NAMESPACE/tables/TABLE.
namespace magneto::server::admin::mcp {

// The result of resources/list: the tables of main, a page of 100. `cursor`: the last name of the
// page before; empty: the first page. nullopt if the server refuses the cursor.
std::optional<std::string> list_resources(const ToolCall& call, std::string_view cursor);

// The result of resources/templates/list.
std::string_view resource_templates();

// The result of resources/read; nullopt if there is no such table.
std::optional<std::string> read_resource(const ToolCall& call, std::string_view uri);

}  // namespace magneto::server::admin::mcp
