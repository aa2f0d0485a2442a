#pragma once

#include <string>
#include <variant>

#include "server/main/config.h"

namespace magneto::server::main {

// Reads flags and MAGNETO_* environment variables; a flag wins over its variable. Returns the
// configuration, or the exit status when there is nothing to run: 0 after --help and --version
// (printed on stdout), 2 after a usage error (one sentence on stderr).
std::variant<Config, int> parse_command_line(int argc, const char* const* argv);

// The sentence for a MAGNETO_* environment variable that no flag of the server has, with the nearest one;
// empty when there is none.
std::string unknown_server_variable();

}  // namespace magneto::server::main
