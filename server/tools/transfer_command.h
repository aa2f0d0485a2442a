#pragma once

#include "server/client/endpoint/local_endpoint.h"
#include "server/system/commands.h"

namespace magneto::server::tools {

// Runs "magneto copy", export, import or replay. Returns the exit status: 0; 1 after a failure,
// with a sentence on stderr; 2 after a usage error. For the statuses of a copy see
// copy/copy_command.h.
int run_transfer_command(system::CommandKind kind, int argc, const char* const* argv,
                         const client::OpenDirectory& open_directory);

}  // namespace magneto::server::tools
