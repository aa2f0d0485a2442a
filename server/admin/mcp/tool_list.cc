#include "server/admin/mcp/tool_list.h"

#include <array>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "server/admin/mcp/shape_schema.h"

namespace magneto::server::admin::mcp {
namespace {

using Tools = std::span<const Tool> (*)();
// The only list of all tools.
constexpr std::array<Tools, 4> kTools = {operation_tools, combined_tools, namespace_tools,
                                         setting_tools};

constexpr Argument kCommonArguments[] = {
    {kNamespaceArgument, R"({"type":"string","description":"main unless given"})"},
    {kRegionArgument, R"({"type":"string","description":"us-east-1 unless given"})"},
    {kAccessKeyArgument,
     R"({"type":"string","description":"whose tables, if the server keeps each access key's apart"})"},
};

void append_argument(const Argument& argument, std::string& properties, std::string& required) {
  if (!properties.empty()) properties += ',';
  api::json::append_string(properties, argument.name);
  properties.append(":").append(argument.schema);
  if (!argument.required) return;
  if (!required.empty()) required += ',';
  api::json::append_string(required, argument.name);
}

std::string input_schema(const Tool& tool) {
  std::string properties;
  std::string required;
  if (const api::Operation* const operation = api::find_operation(tool.operation)) {
    append_properties(operation->input, properties);
    append_required(operation->input, required);
  }
  for (const Argument& argument : tool.arguments) append_argument(argument, properties, required);
  for (const Argument& argument : kCommonArguments) {
    const bool has = argument.name == kNamespaceArgument ? has_namespace(tool) : has_caller(tool);
    if (has) append_argument(argument, properties, required);
  }
  std::string schema = R"({"type":"object","properties":{)" + properties + "}";
  if (!required.empty()) schema.append(R"(,"required":[)").append(required).append("]");
  return schema + R"(,"additionalProperties":false})";
}

void write_tool(const Tool& tool, api::json::Writer& writer) {
  writer.begin_object();
  writer.text("name", tool.name);
  writer.text("description", tool.description);
  writer.key("inputSchema");
  writer.raw() += input_schema(tool);
  writer.key("annotations");
  writer.begin_object();
  const auto write_hint = [&](std::string_view name, bool is_so) {
    writer.key(name);
    writer.boolean(is_so);
  };
  write_hint("readOnlyHint", tool.effect == Effect::kReads);
  write_hint("destructiveHint", tool.effect == Effect::kChanges);
  write_hint("idempotentHint", tool.idempotent);
  write_hint("openWorldHint", false);
  writer.end_object();
  writer.end_object();
}

std::string make_list(bool read_only) {
  std::string list;
  api::json::Writer writer(list);
  writer.begin_object();
  writer.key("tools");
  writer.begin_array();
  for (const Tools tools : kTools) {
    for (const Tool& tool : tools()) {
      if (!read_only || tool.effect == Effect::kReads) write_tool(tool, writer);
    }
  }
  writer.end_array();
  writer.end_object();
  return list;
}

}  // namespace

const Tool* find_tool(std::string_view name) {
  for (const Tools tools : kTools) {
    for (const Tool& tool : tools()) {
      if (tool.name == name) return &tool;
    }
  }
  return nullptr;
}

const std::string& tool_list(bool read_only) {
  static const std::string all = make_list(false);
  static const std::string reading = make_list(true);
  return read_only ? reading : all;
}

}  // namespace magneto::server::admin::mcp
