#pragma once

#include "server/transfer/endpoint/local_endpoint.h"

namespace magneto::server {

// Whether the command line is "magneto import ...", or the same with export, copy or replay.
bool is_transfer_command(int argc, const char* const* argv);

// Runs such a command. The exit status: 0; 1 when it failed, with a sentence on stderr; 2 after a
// usage error; those of a copy are in copy/copy_command.h.
int run_transfer_command(int argc, const char* const* argv, const OpenDirectory& open_directory);

}  // namespace magneto::server
