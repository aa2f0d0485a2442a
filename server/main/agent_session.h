#pragma once

#include <functional>
#include <string>
#include <thread>

#include "server/system/descriptor.h"

namespace magneto::server::admin::mcp {
class AgentServer;
}  // namespace magneto::server::admin::mcp

namespace magneto::server::main {

// The end of standard input and output that an agent has.
struct AgentOptions {
  bool read_only = false;
  int output = 1;  // standard output of the process
};

// Serves one agent on standard input, by a thread of its own, while the server runs. When the input
// ends, `end` is called.
class AgentSession {
 public:
  // `agents` must outlive the object. `endpoint`: the URL of the server. Throws std::system_error.
  AgentSession(const AgentOptions& options, const admin::mcp::AgentServer& agents,
               std::string endpoint, std::function<void()> end);
  // Finishes the message at hand.
  ~AgentSession();
  AgentSession(const AgentSession&) = delete;
  AgentSession& operator=(const AgentSession&) = delete;

 private:
  system::Descriptor stop_;  // an event
  std::thread thread_;
};

// Returns a descriptor of standard output, which from now on is standard error for everything else:
// only messages may reach the agent. Throws std::system_error.
int take_standard_output();

}  // namespace magneto::server::main
