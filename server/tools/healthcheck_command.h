#pragma once

#include <functional>
#include <string>

namespace magneto::server::tools {

// "magneto healthcheck": requests /_/health from a server, or /_/ready with --ready
// (docs/operating.md). Returns the exit status: 0 if the server answers 200; 1 if not, with the
// reason on standard error; 2 after a usage error. `unknown_variable` returns the error about an
// environment variable that the server does not know; empty if there is none.
int run_healthcheck_command(int argc, const char* const* argv,
                            const std::function<std::string()>& unknown_variable);

}  // namespace magneto::server::tools
