#pragma once

#include <functional>
#include <string>

namespace magneto::server::tools {

// "magneto healthcheck": asks a server for /_/health, or with --ready for /_/ready
// (docs/operating.md). The exit status: 0 when it answers 200, 1 when it does not, with the reason on
// standard error, 2 after a usage error. `unknown_variable` gives the sentence for a variable of the
// environment that the server does not know; empty: there is none.
int run_healthcheck_command(int argc, const char* const* argv,
                            const std::function<std::string()>& unknown_variable);

}  // namespace magneto::server::tools
