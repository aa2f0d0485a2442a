#pragma once

#include "server/commands.h"
#include "server/transfer/endpoint/local_endpoint.h"

namespace magneto::server {

// Runs "magneto copy", export, import or replay. The exit status: 0; 1 when it failed, with a sentence
// on stderr; 2 after a usage error; those of a copy are in copy/copy_command.h.
int run_transfer_command(CommandKind kind, int argc, const char* const* argv,
                         const OpenDirectory& open_directory);

}  // namespace magneto::server
