#include "server/admin/mcp/protocol.h"

#include <algorithm>

#include "api/json/json_writer.h"
#include "server/admin/mcp/messages.h"

namespace magneto::server::admin::mcp {
namespace {

using api::json::Value;

std::string read_id(Value id) {
  if (!id.is_string() && !id.is_whole()) {
    throw ProtocolError{ErrorCode::kInvalidRequest, std::string(messages::kWrongId)};
  }
  std::string text;
  append_compact(id, text);
  return text;
}

std::string begin_message(std::string_view id) {
  std::string text = R"({"jsonrpc":"2.0","id":)";
  return text.append(id.empty() ? "null" : id);
}

}  // namespace

bool is_known_version(std::string_view version) {
  return std::ranges::find(kVersions, version) != std::end(kVersions);
}

std::string known_versions() {
  std::string names;
  for (const std::string_view version : kVersions) {
    names.append(names.empty() ? "" : ", ").append(version);
  }
  return names;
}

Message read_message(Value value, std::string& id) {
  const api::json::Object object = value.object();
  const Value method = object.find("method");
  Message message;
  if (const Value given = object.find("id")) id = read_id(given);
  if (object.find("jsonrpc").string() != "2.0") {
    throw ProtocolError{ErrorCode::kInvalidRequest, std::string(messages::kNoMessage)};
  }
  message.id = id;
  if (!method && !id.empty() && (object.find("result") || object.find("error"))) {
    message.kind = MessageKind::kResponse;
    return message;
  }
  if (!method.is_string()) {
    throw ProtocolError{ErrorCode::kInvalidRequest, std::string(messages::kNoMessage)};
  }
  message.kind = id.empty() ? MessageKind::kNotification : MessageKind::kRequest;
  message.method = method.string();
  const Value params = object.find("params");
  if (params && !params.is_object()) {
    throw ProtocolError{ErrorCode::kInvalidParams, std::string(messages::kWrongParams)};
  }
  message.params = params.object();
  return message;
}

std::string result_message(std::string_view id, std::string_view result) {
  return begin_message(id).append(R"(,"result":)").append(result).append("}");
}

std::string error_message(std::string_view id, const ProtocolError& error) {
  std::string text = begin_message(id);
  text.append(R"(,"error":{"code":)").append(std::to_string(static_cast<int>(error.code)));
  text += R"(,"message":)";
  api::json::append_string(text, error.sentence);
  return text += "}}";
}

}  // namespace magneto::server::admin::mcp
