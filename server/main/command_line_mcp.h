#pragma once

#include <string>
#include <variant>

#include "server/admin/mcp/remote_options.h"
#include "server/main/config.h"

namespace magneto::server::main {

// The server that `magneto mcp` starts.
struct OwnServer {
  Config config;
  bool read_only = false;
};

// Reads the command line of `magneto mcp`. Returns the way to a running server, the server to start,
// or the exit status if the program must end.
std::variant<admin::mcp::RemoteOptions, OwnServer, int> parse_mcp_command_line(
    int argc, const char* const* argv);

}  // namespace magneto::server::main
