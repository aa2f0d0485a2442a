#pragma once

#include <functional>
#include <string>

namespace magneto::server::admin::mcp {

// Answers one message. `version` is that of the protocol which the session has agreed on. Returns
// JSON without line feeds; empty: there is nothing to answer.
using AnswerMessage = std::function<std::string(std::string& message, const std::string& version)>;

// The descriptors of a session.
struct BridgeDescriptors {
  int input = 0;
  int output = 1;
  int stop = -1;  // the session ends once this is readable; -1: only with the input
};

// MCP's stdio transport: each line of the input is a message, and each answer is a line of the
// output, in the same order. Returns at the end of the input, or when the output is closed. A longer
// line than AgentServer::kMaxMessageBytes is refused and skipped.
void bridge_stdio(const BridgeDescriptors& descriptors, const AnswerMessage& answer);

}  // namespace magneto::server::admin::mcp
