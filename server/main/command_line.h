#pragma once

#include <string>
#include <variant>

#include "server/main/config.h"

namespace magneto::server::main {

// Reads flags and MAGNETO_* environment variables; a flag overrides its variable. Returns the
// configuration, or the exit status if no server must run: 0 after --help and --version (printed on
// stdout), 2 after a usage error (one sentence on stderr).
std::variant<Config, int> parse_command_line(int argc, const char* const* argv);

// The error about a MAGNETO_* environment variable that belongs to no flag of the server, with the
// most similar variable; empty if there is none.
std::string unknown_server_variable();

}  // namespace magneto::server::main
