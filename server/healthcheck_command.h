#pragma once

namespace magneto::server {

// "magneto healthcheck": asks a server for /_/health, or with --ready for /_/ready
// (docs/operating.md). The exit status: 0 when it answers 200, 1 when it does not, with the reason on
// standard error, 2 after a usage error.
int run_healthcheck_command(int argc, const char* const* argv);

}  // namespace magneto::server
