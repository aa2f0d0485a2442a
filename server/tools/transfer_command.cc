#include "server/tools/transfer_command.h"

#include <exception>
#include <memory>
#include <variant>

#include "server/bulk/progress_line.h"
#include "server/system/terminal.h"
#include "server/tools/copy/copy_command.h"
#include "server/tools/replay/replay_command.h"
#include "server/tools/transfer_command_line.h"

namespace magneto::server::tools {
namespace {

constexpr int kFailed = 1;

bool transfer(const TransferOptions& options, const client::OpenDirectory& open_directory) {
  // Do not create a misspelt directory.
  const auto* const imports = std::get_if<ImportOptions>(&options.command);
  const bool create = imports != nullptr && !imports->create_from.empty();
  const std::unique_ptr<client::Endpoint> endpoint =
      client::open_endpoint(options.place, create, open_directory);
  bulk::ProgressLine progress;
  if (const auto* const imported = std::get_if<ImportOptions>(&options.command)) {
    return import_items(*imported, *endpoint, progress);
  }
  export_items(std::get<ExportOptions>(options.command), *endpoint, progress);
  return true;
}

}  // namespace

int run_transfer_command(system::CommandKind kind, int argc, const char* const* argv,
                         const client::OpenDirectory& open_directory) {
  if (kind == system::CommandKind::kCopy) return run_copy_command(argc, argv, open_directory);
  if (kind == system::CommandKind::kReplay) return run_replay_command(argc, argv);
  const auto parsed = parse_transfer_command_line(argc, argv);
  if (const int* const status = std::get_if<int>(&parsed)) return *status;
  try {
    return transfer(std::get<TransferOptions>(parsed), open_directory) ? 0 : kFailed;
  } catch (const std::exception& error) {
    system::print_problem(error.what());
    return kFailed;
  }
}

}  // namespace magneto::server::tools
