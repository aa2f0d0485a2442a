#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

// The messages of the Model Context Protocol, which are those of JSON-RPC 2.0.
namespace magneto::server::admin::mcp {

// The codes of errors: JSON-RPC 2.0, 5.1, and MCP's for resources.
enum class ErrorCode : int {
  kParse = -32700,
  kInvalidRequest = -32600,
  kUnknownMethod = -32601,
  kInvalidParams = -32602,
  kInternal = -32603,
  kUnknownResource = -32002,
};

// An error of the protocol, which ends one request.
struct ProtocolError {
  ErrorCode code;
  std::string sentence;
};

// The versions of the protocol that this server speaks, newest first.
inline constexpr std::string_view kVersions[] = {"2025-11-25", "2025-06-18", "2025-03-26"};
// The version of a client that names none in the header MCP-Protocol-Version.
inline constexpr std::string_view kUnnamedVersion = "2025-03-26";

bool is_known_version(std::string_view version);
// The only version with batches.
inline bool has_batches(std::string_view version) { return version == "2025-03-26"; }
// The versions, for messages.
std::string known_versions();

enum class MessageKind { kRequest, kNotification, kResponse };

// One message, as views into its document.
struct Message {
  MessageKind kind = MessageKind::kNotification;
  std::string id = {};  // as JSON; empty: none
  std::string_view method = {};
  api::json::Object params = {};
};

// Reads a message. Throws ProtocolError; `id` is set as soon as it is known.
Message read_message(api::json::Value value, std::string& id);

// {"jsonrpc":"2.0","id":...,"result":...}. `id` is JSON.
std::string result_message(std::string_view id, std::string_view result);
// An empty id becomes null.
std::string error_message(std::string_view id, const ProtocolError& error);

}  // namespace magneto::server::admin::mcp
