#include "server/admin/mcp/agent_server.h"

#include <absl/cleanup/cleanup.h>

#include <exception>
#include <optional>

#include "api/control_error.h"
#include "api/json/json_writer.h"
#include "api/namespaces/namespace_error.h"
#include "server/admin/mcp/messages.h"
#include "server/admin/mcp/resources.h"
#include "server/admin/mcp/tool_list.h"
#include "server/admin/mcp/tool_result.h"
#include "server/admin/messages.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "server/system/utf8.h"

namespace magneto::server::admin::mcp {
namespace {

using api::json::Value;

constexpr std::size_t kMostInBatch = 100;
constexpr std::size_t kLongestShownWord = 100;
constexpr std::string_view kEmptyResult = "{}";

ProtocolError invalid_params(std::string_view sentence) {
  return {ErrorCode::kInvalidParams, std::string(sentence)};
}

std::string shown(std::string_view word) {
  return std::string(system::first_characters(word, kLongestShownWord));
}

// A text among the parameters; empty if it is not there.
std::string_view text_param(const Message& message, std::string_view name) {
  const Value value = message.params.find(name);
  if (value && !value.is_string()) {
    throw invalid_params(messages::kWrongParam(name, admin::messages::kAString));
  }
  return value.string();
}

std::string_view needed_text(const Message& message, std::string_view name) {
  if (!message.params.find(name)) throw invalid_params(admin::messages::kMissingMember(name));
  return text_param(message, name);
}

}  // namespace

std::string AgentServer::initialize(const Message& message, const Connection& connection) const {
  const std::string_view wanted = needed_text(message, "protocolVersion");
  std::string result;
  api::json::Writer writer(result);
  writer.begin_object();
  writer.text("protocolVersion", is_known_version(wanted) ? wanted : kVersions[0]);
  writer.key("capabilities");
  writer.raw() += R"({"tools":{},"resources":{}})";
  writer.key("serverInfo");
  writer.begin_object();
  writer.text("name", "magneto");
  writer.text("title", "Magneto");
  writer.text("version", MAGNETO_VERSION);
  writer.end_object();
  writer.text("instructions", messages::kInstructions(connection.endpoint));
  writer.end_object();
  return result;
}

std::string AgentServer::call_tool(const Message& message, const Connection& connection) const {
  const std::string_view name = needed_text(message, "name");
  const Tool* const tool = find_tool(name);
  if (tool == nullptr) throw invalid_params(messages::kUnknownTool(shown(name)));
  if (connection.read_only && tool->effect != Effect::kReads) {
    throw invalid_params(messages::kNotReadOnly(name));
  }
  const Value arguments = message.params.find("arguments");
  if (arguments && !arguments.is_object()) {
    throw invalid_params(messages::kWrongParam("arguments", admin::messages::kAnObject));
  }
  ToolCall call(backend_, connection, arguments.object());
  try {
    return tool_result(*tool, run_tool(*tool, call), connection.endpoint);
  } catch (const api::ControlError& error) {
    return tool_refusal(error.sentence());
  } catch (const api::NamespaceError& error) {
    return tool_refusal(error.what());
  }
}

std::string AgentServer::list_of_resources(const Message& message,
                                           const Connection& connection) const {
  const ToolCall call(backend_, connection, {});
  std::optional<std::string> listed = list_resources(call, text_param(message, "cursor"));
  if (!listed) throw invalid_params(messages::kUnknownCursor);
  return std::move(*listed);
}

std::string AgentServer::resource(const Message& message, const Connection& connection) const {
  const std::string_view uri = needed_text(message, "uri");
  const ToolCall call(backend_, connection, {});
  std::optional<std::string> found;
  try {
    found = read_resource(call, uri);
  } catch (const api::NamespaceError&) {  // no such namespace, so no such resource
  }
  if (found) return std::move(*found);
  throw ProtocolError{ErrorCode::kUnknownResource, messages::kUnknownResource(shown(uri))};
}

std::string AgentServer::result_of(const Message& message, const Connection& connection,
                                   bool in_batch) const {
  if (message.method == "initialize") {
    if (in_batch) {
      throw ProtocolError{ErrorCode::kInvalidRequest, std::string(messages::kInitializeInBatch)};
    }
    return initialize(message, connection);
  }
  if (message.method == "ping") return std::string(kEmptyResult);
  if (message.method == "tools/call") return call_tool(message, connection);
  if (message.method == "resources/list") return list_of_resources(message, connection);
  if (message.method == "resources/read") return resource(message, connection);
  const bool is_list = message.method == "tools/list";
  if (!is_list && message.method != "resources/templates/list") {
    throw ProtocolError{ErrorCode::kUnknownMethod, messages::kUnknownMethod(shown(message.method))};
  }
  // These lists have one page.
  if (message.params.find("cursor")) throw invalid_params(messages::kUnknownCursor);
  return is_list ? tool_list(connection.read_only) : std::string(resource_templates());
}

// Returns the answer; empty for a notification and a response.
std::string AgentServer::answer_one(Value value, const Connection& connection, bool in_batch,
                                    bool* refused) const {
  std::string id;
  try {
    const Message message = read_message(value, id);
    if (message.kind != MessageKind::kRequest) return {};
    return result_message(id, result_of(message, connection, in_batch));
  } catch (const ProtocolError& error) {
    *refused = error.code == ErrorCode::kInvalidRequest;
    return error_message(id, error);
  } catch (const api::ControlError& error) {
    return error_message(id, {ErrorCode::kInternal, error.sentence()});
  } catch (const std::exception& error) {
    system::log(system::LogLevel::kError,
                system::messages::kFault("/_/mcp", connection.request_id, error.what()));
    return error_message(id, {ErrorCode::kInternal, admin::messages::kControlFailed.data()});
  }
}

Reply AgentServer::answer_batch(api::json::Array batch, const Connection& connection) const {
  const auto refuse = [](std::string_view sentence) {
    return Reply{.text = error_message({}, {ErrorCode::kInvalidRequest, std::string(sentence)}),
                 .is_refused = true};
  };
  if (!has_batches(connection.version)) return refuse(messages::kNoBatches);
  if (batch.empty()) return refuse(messages::kEmptyBatch);
  if (batch.size() > kMostInBatch) return refuse(messages::kLongBatch(kMostInBatch));
  std::string answers;
  for (const Value value : batch) {
    bool refused = false;
    const std::string answer = answer_one(value, connection, true, &refused);
    if (answer.empty()) continue;
    answers.append(answers.empty() ? "[" : ",").append(answer);
  }
  if (answers.empty()) return {};
  return {.text = answers + "]", .is_refused = false};
}

Reply AgentServer::answer(std::string& text, const Connection& connection) const {
  thread_local api::json::Document document;
  const absl::Cleanup release = [] { document.release_large_buffers(); };
  const auto value = document.parse(text);
  if (!value) {
    return {.text = error_message({}, {ErrorCode::kParse, std::string(messages::kNoJson)}),
            .is_refused = true};
  }
  if (value->is_array()) return answer_batch(value->array(), connection);
  Reply reply;
  reply.text = answer_one(*value, connection, false, &reply.is_refused);
  return reply;
}

}  // namespace magneto::server::admin::mcp
