#include "server/tools/copy/copy_command.h"

#include <exception>
#include <memory>
#include <stdexcept>
#include <variant>

#include "server/bulk/progress_line.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/system/terminal.h"
#include "server/tools/copy/copy_command_line.h"
#include "server/tools/copy/copy_run.h"
#include "server/tools/copy/messages.h"
#include "server/tools/copy/stop_signal.h"

namespace magneto::server::tools {
namespace {

// The defaults for AWS only, where units cost money and other clients need them too: part of the
// 40,000 units that a table may use there by default.
constexpr double kAwsReadUnits = 1000;
constexpr double kAwsWriteUnits = 1000;

double limit_of(const std::optional<double>& given, const client::Endpoint& endpoint, double of_aws,
                std::string_view flag, bulk::ProgressLine& progress) {
  const auto url = client::parse_endpoint_url(endpoint.name());
  if (given || !url || !url->is_aws) return given.value_or(0);
  progress.print(messages::limited(endpoint.name(), of_aws, flag));
  return of_aws;
}

int run(CopyCommandLine& command, const client::OpenDirectory& open_directory) {
  const std::string& directory = command.from.data_directory;
  if (!directory.empty() && directory == command.to.data_directory) {
    throw std::runtime_error(messages::kSameDirectory(directory));
  }
  const auto source = client::open_endpoint(command.from, false, open_directory);
  const auto target = client::open_endpoint(command.to, !command.options.dry_run, open_directory);
  bulk::ProgressLine progress;
  CopyOptions& options = command.options;
  options.read_limit =
      limit_of(command.read_limit, *source, kAwsReadUnits, "--read-limit", progress);
  if (options.verify) {
    options.target_read_limit =
        limit_of(command.read_limit, *target, kAwsReadUnits, "--read-limit", progress);
  }
  options.write_limit =
      limit_of(command.write_limit, *target, kAwsWriteUnits, "--write-limit", progress);
  return run_copy(options, *source, *target, stop_on_signals(), progress);
}

}  // namespace

int run_copy_command(int argc, const char* const* argv,
                     const client::OpenDirectory& open_directory) {
  auto parsed = parse_copy_command_line(argc, argv);
  if (const int* const status = std::get_if<int>(&parsed)) return *status;
  try {
    return run(std::get<CopyCommandLine>(parsed), open_directory);
  } catch (const std::exception& error) {
    system::print_problem(error.what());
    return kCopyFailed;
  }
}

}  // namespace magneto::server::tools
