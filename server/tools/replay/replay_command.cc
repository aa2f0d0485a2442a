#include "server/tools/replay/replay_command.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <variant>

#include "server/system/command_line_messages.h"
#include "server/system/terminal.h"
#include "server/tools/replay/messages.h"
#include "server/tools/replay/replay_command_line.h"

namespace magneto::server::tools {
namespace {

constexpr int kDiffers = 1;

void print(std::FILE* stream, std::string_view text) {
  const std::string line = system::messages::kLine(system::terminal_text(text));
  std::fwrite(line.data(), 1, line.size(), stream);
}

bool run(const ReplayCommandLine& command) {
  const std::unique_ptr<client::Endpoint> endpoint =
      client::make_http_endpoint(command.to, client::process_environment());
  ReplayRun run(command.options, *endpoint, [](std::string_view text) { print(stdout, text); });
  const ReplayTotals totals = run.run();
  std::fflush(stdout);
  if (totals.without_body != 0) print(stderr, messages::without_body(totals.without_body));
  if (totals.kept_from_running != 0) {
    print(stderr, messages::kept_from_running(totals.kept_from_running));
  }
  print(stderr, messages::replayed(totals.sent, totals.different));
  return totals.different == 0;
}

}  // namespace

int run_replay_command(int argc, const char* const* argv) {
  const auto parsed = parse_replay_command_line(argc, argv);
  if (const int* const status = std::get_if<int>(&parsed)) return *status;
  try {
    return run(std::get<ReplayCommandLine>(parsed)) ? 0 : kDiffers;
  } catch (const std::exception& error) {
    print(stderr, error.what());
    return kDiffers;
  }
}

}  // namespace magneto::server::tools
