#pragma once

#include <string>
#include <variant>

#include "server/client/endpoint/open_endpoint.h"
#include "server/tools/export_command.h"
#include "server/tools/import_command.h"

namespace magneto::server::tools {

// The arguments of "magneto import" or "magneto export".
struct TransferOptions {
  std::variant<ImportOptions, ExportOptions> command;
  client::EndpointLocation place;
};

// Reads the arguments after the program's name: "import" or "export" and flags. Returns the exit
// status if there is nothing to run: 0 after --help, 2 after a usage error (one sentence on
// stderr).
std::variant<TransferOptions, int> parse_transfer_command_line(int argc, const char* const* argv);

}  // namespace magneto::server::tools
