#pragma once

#include <optional>
#include <variant>

#include "server/client/endpoint/open_endpoint.h"
#include "server/tools/copy/copy_options.h"

namespace magneto::server::tools {

// The arguments of "magneto copy".
struct CopyCommandLine {
  client::EndpointLocation from;
  client::EndpointLocation to;
  std::optional<double> read_limit;  // nullopt: the default for the kind of endpoint
  std::optional<double> write_limit;
  CopyOptions options;  // without limits
};

// Reads the arguments after the program's name: "copy" and flags. Returns the exit status if there
// is nothing to run: 0 after --help, 2 after a usage error (one sentence on stderr).
std::variant<CopyCommandLine, int> parse_copy_command_line(int argc, const char* const* argv);

}  // namespace magneto::server::tools
