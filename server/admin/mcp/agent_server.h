#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/admin/mcp/protocol.h"
#include "server/admin/mcp/tool_call.h"

namespace magneto::server::admin::mcp {

// The answer to one text of a client.
struct Reply {
  std::string text = {};    // JSON; empty: there is nothing to answer
  bool is_refused = false;  // the text is no message, or one that this version does not have
};

// The Model Context Protocol without a transport: takes the text of a message, or of a batch, and
// returns the text of the answer. It keeps no state between messages. Thread-safe.
class AgentServer {
 public:
  static constexpr std::size_t kMaxMessageBytes = Control::kMaxBodyBytes;

  explicit AgentServer(const Backend& backend) : backend_(backend) {}

  // Never throws but for want of memory. The capacity of `text` may grow. Runs on a thread that may
  // wait.
  Reply answer(std::string& text, const Connection& connection) const;

 private:
  std::string answer_one(api::json::Value value, const Connection& connection, bool in_batch,
                         bool* refused) const;
  Reply answer_batch(api::json::Array batch, const Connection& connection) const;
  std::string result_of(const Message& message, const Connection& connection, bool in_batch) const;
  std::string initialize(const Message& message, const Connection& connection) const;
  std::string call_tool(const Message& message, const Connection& connection) const;
  std::string list_of_resources(const Message& message, const Connection& connection) const;
  std::string resource(const Message& message, const Connection& connection) const;

  const Backend backend_;
};

}  // namespace magneto::server::admin::mcp
