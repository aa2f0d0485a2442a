#pragma once

#include <variant>

#include "server/client/endpoint/http_endpoint.h"
#include "server/tools/replay/replay_run.h"

namespace magneto::server::tools {

struct ReplayCommandLine {
  ReplayOptions options;
  client::EndpointOptions to;
};

// Reads the arguments after "magneto replay". Returns the exit status if there is nothing to run: 0
// after --help, 2 after a usage error (one sentence on stderr).
std::variant<ReplayCommandLine, int> parse_replay_command_line(int argc, const char* const* argv);

}  // namespace magneto::server::tools
