#pragma once

#include "server/client/endpoint/local_endpoint.h"

namespace magneto::server::tools {

// Runs "magneto copy ...". The exit status:
//   0    everything was done; --verify found no difference; a copy that had caught up was asked to end
//   1    it failed, with a sentence on stderr
//   2    a usage error
//   3    --verify found differences
//   130  it was asked to end (SIGINT, SIGTERM) before all was done
int run_copy_command(int argc, const char* const* argv,
                     const client::OpenDirectory& open_directory);

}  // namespace magneto::server::tools
