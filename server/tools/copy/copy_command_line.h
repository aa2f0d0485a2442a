#pragma once

#include <optional>
#include <variant>

#include "server/client/endpoint/open_endpoint.h"
#include "server/tools/copy/copy_options.h"

namespace magneto::server::tools {

// What "magneto copy" was asked for.
struct CopyCommandLine {
  client::EndpointLocation from;
  client::EndpointLocation to;
  std::optional<double> read_limit;  // nullopt: as the kind of endpoint wants
  std::optional<double> write_limit;
  CopyOptions options;  // without limits
};

// Reads what follows the program's name: "copy" and flags. The exit status when there is nothing to
// run: 0 after --help, 2 after a usage error (one sentence on stderr).
std::variant<CopyCommandLine, int> parse_copy_command_line(int argc, const char* const* argv);

}  // namespace magneto::server::tools
