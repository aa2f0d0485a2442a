#pragma once

#include "server/client/endpoint/local_endpoint.h"
#include "server/system/commands.h"

namespace magneto::server::main {

// The command behind the program's name; nullptr: there are flags, or nothing. Called java, the
// program is DynamoDB Local, which has no commands.
const system::Command* command_of(int argc, const char* const* argv);

// Runs it. The exit status: 0; 1 when it failed and 2 after a usage error, each with a sentence on
// standard error; those of a copy are in server/tools/copy/copy_command.h.
int run_command(const system::Command& command, int argc, const char* const* argv,
                const client::OpenDirectory& open_directory);

}  // namespace magneto::server::main
