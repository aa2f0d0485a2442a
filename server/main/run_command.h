#pragma once

#include <functional>

#include "server/client/endpoint/local_endpoint.h"
#include "server/main/command_line_mcp.h"
#include "server/system/commands.h"

namespace magneto::server::main {

// The command after the program's name; nullptr if there are only flags or no arguments. A program
// called java acts as DynamoDB Local, which has no commands.
const system::Command* command_of(int argc, const char* const* argv);

// Serves an agent with a server in this process. Returns the exit status.
using ServeAgent = std::function<int(const OwnServer& server)>;

// The functions of commands that only server/main/main can have.
struct CommandContext {
  client::OpenDirectory open_directory;
  ServeAgent serve_agent;
};

// Runs the command. Returns the exit status: 0, 1 on failure, or 2 after a usage error; failures
// print a sentence on standard error. For the statuses of a copy see
// server/tools/copy/copy_command.h.
int run_command(const system::Command& command, int argc, const char* const* argv,
                const CommandContext& context);

}  // namespace magneto::server::main
