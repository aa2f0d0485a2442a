#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "server/admin/mcp/call_result.h"
#include "server/http/message/http_request.h"

namespace magneto::server::admin::mcp {

class ToolCall;

// The effect of a tool on data and settings.
enum class Effect : std::uint8_t {
  kReads,    // changes nothing
  kAdds,     // may add, and never loses anything
  kChanges,  // may replace or delete
};

// An argument of a tool besides the common ones.
struct Argument {
  std::string_view name;
  std::string_view schema;  // JSON Schema
  bool required = false;
};

// A tool that agents call. It is one of three kinds: an operation of DynamoDB, whose members are its
// arguments; a route of the control interface; or a function that makes several of these calls.
struct Tool {
  std::string_view name;
  Effect effect;
  bool idempotent;  // a second equal call changes nothing more
  std::string_view description;
  std::string_view operation = {};              // "Query"; empty: no operation
  http::Method method = http::Method::kOther;   // of the route
  std::string_view pattern = {};                // of the route; empty: none
  std::span<const std::string_view> path = {};  // the arguments for each {} of the pattern
  std::span<const Argument> arguments = {};     // of an operation: none, it has its shape
  CallResult (*run)(ToolCall& call) = nullptr;  // nullptr: an operation or a route
};

// The arguments that choose the data. Each tool that works in a namespace has the first; operations,
// and functions that call them, have all.
inline constexpr std::string_view kNamespaceArgument = "namespace";
inline constexpr std::string_view kRegionArgument = "region";
inline constexpr std::string_view kAccessKeyArgument = "access_key";

bool has_namespace(const Tool& tool);
bool has_caller(const Tool& tool);

// One list for each file of tools; tool_list joins them.
std::span<const Tool> operation_tools();
std::span<const Tool> namespace_tools();
std::span<const Tool> setting_tools();
std::span<const Tool> combined_tools();

}  // namespace magneto::server::admin::mcp
