#pragma once

#include "server/client/endpoint/local_endpoint.h"

namespace magneto::server::tools {

// Runs "magneto copy ...". The exit status:
//   0    success; --verify found no difference; a copy that had caught up was stopped
//   1    failure, with a sentence on stderr
//   2    a usage error
//   3    --verify found differences
//   130  stopped (SIGINT, SIGTERM) before everything was done
int run_copy_command(int argc, const char* const* argv,
                     const client::OpenDirectory& open_directory);

}  // namespace magneto::server::tools
