#pragma once

#include "server/commands.h"
#include "server/transfer/endpoint/local_endpoint.h"

namespace magneto::server {

// The command behind the program's name; nullptr: there are flags, or nothing. Called java, the
// program is DynamoDB Local, which has no commands.
const Command* command_of(int argc, const char* const* argv);

// Runs it. The exit status: 0; 1 when it failed and 2 after a usage error, each with a sentence on
// standard error; those of a copy are in transfer/copy/copy_command.h.
int run_command(const Command& command, int argc, const char* const* argv,
                const OpenDirectory& open_directory);

}  // namespace magneto::server
