#include "server/admin/mcp/tool_call.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "api/control_error.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "server/admin/control_members.h"
#include "server/admin/mcp/messages.h"
#include "server/admin/mcp/shape_schema.h"
#include "server/admin/messages.h"
#include "server/client/signing/authorization.h"
#include "server/client/signing/canonical_request.h"
#include "server/system/stop_messages.h"
#include "storage/model/effort.h"

namespace magneto::server::admin::mcp {
namespace {

using Verdict = api::FaultVerdict;

// The caller of requests that name none: shown in journals, and matched by fault rules.
constexpr std::string_view kAgentKey = "mcp";
constexpr std::size_t kLongestAccessKey = 128;
// Items of a page that names no Limit, so that an agent's context holds it.
constexpr std::string_view kUsualLimit = ",\"Limit\":100";
constexpr std::string_view kPagedOperations[] = {"Query", "Scan", "ExecuteStatement"};

bool is_common(std::string_view name) {
  return name == kNamespaceArgument || name == kRegionArgument || name == kAccessKeyArgument;
}

void check_arguments(const Tool& tool, api::json::Object arguments) {
  std::vector<std::string_view> known;
  if (has_namespace(tool)) known.push_back(kNamespaceArgument);
  if (has_caller(tool)) known.insert(known.end(), {kRegionArgument, kAccessKeyArgument});
  if (!tool.operation.empty()) {
    for (const api::MemberShape& member : api::find_operation(tool.operation)->input.members) {
      known.push_back(member.name);
    }
  }
  for (const Argument& argument : tool.arguments) known.push_back(argument.name);
  check_members(arguments, known);
  for (const Argument& argument : tool.arguments) {
    if (argument.required && !arguments.find(argument.name)) {
      throw api::ControlError(admin::messages::kMissingMember(argument.name));
    }
  }
}

// The members of the arguments that `is_kept` names, as one object.
template <typename IsKept>
std::string body_of(api::json::Object arguments, const IsKept& is_kept) {
  std::string body = "{";
  for (const api::json::Member member : arguments) {
    if (!is_kept(member.name)) continue;
    if (body.size() > 1) body += ',';
    api::json::append_string(body, member.name);
    body += ':';
    append_compact(member.value, body);
  }
  return body += '}';
}

CallResult run_operation(const Tool& tool, const ToolCall& call) {
  const api::Operation* const operation = api::find_operation(tool.operation);
  for (const api::json::Member member : call.arguments()) {
    const auto shape =
        std::ranges::find(operation->input.members, member.name, &api::MemberShape::name);
    if (shape == operation->input.members.end()) continue;
    check_known_members(member.value, *shape->shape, std::string(member.name));
  }
  std::string body =
      body_of(call.arguments(), [](std::string_view name) { return !is_common(name); });
  const bool is_paged =
      std::ranges::find(kPagedOperations, tool.operation) != std::end(kPagedOperations);
  if (is_paged && !call.arguments().find("Limit") &&
      call.arguments().find("Select").string() != "COUNT") {
    body.insert(body.size() - 1, kUsualLimit, body.size() == 2 ? 1 : 0);
  }
  return call.operate(call.name_space(), tool.operation, std::move(body));
}

// The text of an argument in a query. A number is one whose schema says so.
std::string text_of(const Tool& tool, const api::json::Member& argument) {
  const auto known = std::ranges::find(tool.arguments, argument.name, &Argument::name);
  if (known == tool.arguments.end() || !known->schema.starts_with(R"({"type":"integer")")) {
    if (argument.value.is_string()) return std::string(argument.value.string());
    throw api::ControlError(admin::messages::kWrongKind(argument.name, admin::messages::kAString));
  }
  const auto number = argument.value.integer();
  if (argument.value.is_whole() && number) return std::to_string(*number);
  throw api::ControlError(
      admin::messages::kWrongKind(argument.name, admin::messages::kAWholeNumber));
}

CallResult run_route(const Tool& tool, const ToolCall& call) {
  std::vector<std::string> names;
  for (const std::string_view name : tool.path) {
    names.emplace_back(name == kNamespaceArgument
                           ? call.name_space()
                           : string_member(call.arguments(), name).value_or(""));
  }
  const auto is_in_path = [&](std::string_view name) {
    return std::ranges::find(tool.path, name) != tool.path.end();
  };
  if (tool.method != http::Method::kGet) {
    const std::string body =
        body_of(call.arguments(), [&](std::string_view name) { return !is_in_path(name); });
    return call.control(tool.method, tool.pattern, std::move(names), body);
  }
  std::string query;
  for (const api::json::Member argument : call.arguments()) {
    if (is_in_path(argument.name)) continue;
    query.append(query.empty() ? "?" : "&").append(argument.name).append("=");
    client::append_escaped(text_of(tool, argument), query);
  }
  return call.control(tool.method, tool.pattern, std::move(names), {}, std::move(query));
}

}  // namespace

bool has_namespace(const Tool& tool) {
  return tool.pattern.empty() ||
         std::ranges::find(tool.path, kNamespaceArgument) != tool.path.end();
}

bool has_caller(const Tool& tool) { return tool.pattern.empty(); }

std::string ToolCall::name_space() const {
  return std::string(
      string_member(arguments_, kNamespaceArgument).value_or(api::Namespaces::kMainName));
}

bool ToolCall::is_over() const {
  pollfd connection{connection_.descriptor, POLLRDHUP, 0};
  return backend_.control.is_stopping() ||
         (connection_.descriptor >= 0 && ::poll(&connection, 1, 0) > 0);
}

// Throws ControlError where the rules end the connection.
void ToolCall::carry_out(const Verdict& verdict) const {
  constexpr std::chrono::milliseconds kLookForEnd{50};
  const auto end = std::chrono::steady_clock::now() + verdict.delay;
  while (std::chrono::steady_clock::now() < end && !is_over()) {
    std::this_thread::sleep_for(
        std::min<std::chrono::nanoseconds>(kLookForEnd, end - std::chrono::steady_clock::now()));
  }
  switch (verdict.cut) {
    case Verdict::Cut::kNone:
      return;
    case Verdict::Cut::kBefore:
      throw api::ControlError(messages::kDroppedBefore);
    case Verdict::Cut::kAfter:
      throw api::ControlError(messages::kDroppedAfter);
    case Verdict::Cut::kWithin:
      throw api::ControlError(messages::kCutOff);
  }
}

CallResult ToolCall::operate(const std::string& name_space, std::string_view operation,
                             std::string body) const {
  const std::shared_ptr<api::Namespace> space = backend_.namespaces.get(name_space);
  api::Caller caller;
  caller.region = string_member(arguments_, kRegionArgument).value_or(caller.region);
  if (!client::is_region(caller.region)) throw api::ControlError(admin::messages::kWrongRegion);
  caller.access_key = string_member(arguments_, kAccessKeyArgument).value_or(kAgentKey);
  if (caller.access_key.empty() || caller.access_key.size() > kLongestAccessKey) {
    throw api::ControlError(messages::kWrongAccessKey(kLongestAccessKey));
  }
  caller.profile = backend_.profile;
  api::CallReport report;
  CallResult result;
  storage::Effort effort(storage::Effort::kUnlimited, &space->service().stopping());
  const std::optional<int> status =
      space->service().try_call(api::find_operation(operation), caller, connection_.request_id,
                                body, result.body, effort, &report);
  if (!status) throw api::ControlError(system::messages::kIsStopping, 503);
  result.status = *status;
  if (report.verdict() != nullptr) carry_out(*report.verdict());
  return result;
}

CallResult ToolCall::control(http::Method method, std::string_view pattern,
                             std::vector<std::string> names, std::string body,
                             std::string query) const {
  CallResult result;
  result.status = backend_.control.call({.method = method,
                                         .pattern = pattern,
                                         .names = std::move(names),
                                         .query = std::move(query),
                                         .body = std::move(body),
                                         .descriptor = connection_.descriptor},
                                        connection_.request_id, result.body);
  return result;
}

CallResult run_tool(const Tool& tool, ToolCall& call) {
  check_arguments(tool, call.arguments());
  if (tool.run != nullptr) return tool.run(call);
  return tool.operation.empty() ? run_route(tool, call) : run_operation(tool, call);
}

}  // namespace magneto::server::admin::mcp
