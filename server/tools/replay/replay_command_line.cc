#include "server/tools/replay/replay_command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "server/system/command_line_checks.h"
#include "server/system/command_line_reading.h"
#include "server/tools/replay/messages.h"

namespace magneto::server::tools {
namespace {

constexpr double kMaxSpeed = 1e6;
constexpr std::uint64_t kMaxShown = 1'000'000;

constexpr const char* kReplayExamples =
    "Examples:\n"
    "  magneto replay --journal journal.jsonl --to http://localhost:8000\n"
    "  magneto replay --journal journal.jsonl.gz --to http://localhost:8000 --namespace copy --speed 10";

void declare(CLI::App& app, ReplayCommandLine& command) {
  app.add_option(
         "--journal", command.options.journal,
         "JSON Lines of a journal with bodies, also compressed with gzip; - is standard input")
      ->required()
      ->type_name("FILE");
  app.add_option("--to", command.to.address, "http://HOST:PORT, https://HOST, aws or aws:REGION")
      ->type_name("URL");
  app.add_option("--namespace", command.to.name_space, "Namespace of Magneto's to send them to")
      ->type_name("NAME");
  app.add_option("--profile", command.to.profile, "Profile of ~/.aws/credentials and ~/.aws/config")
      ->type_name("NAME");
  app.add_option("--region", command.to.region, "Region to sign for")->type_name("NAME");
  app.add_option("--ca", command.to.ca_file,
                 "PEM file of certificates to trust besides the system's")
      ->type_name("FILE");
  app.add_option("--speed", command.options.speed,
                 "Keep the journal's pauses, divided by this factor (default: no pauses)")
      ->check(system::quantity(1e-3, kMaxSpeed))
      ->type_name("FACTOR");
  app.add_flag("--exact", command.options.exact,
               "Also compare ids, times, iterators and tokens, which differ each time");
  app.add_option("--show", command.options.shown, "Differences to print at most")
      ->check(system::whole_number(0, kMaxShown))
      ->capture_default_str()
      ->type_name("NUMBER");
}

}  // namespace

std::variant<ReplayCommandLine, int> parse_replay_command_line(int argc, const char* const* argv) {
  CLI::App app("Sends the requests of a journal to an endpoint and compares its answers",
               "magneto replay");
  ReplayCommandLine command;
  declare(app, command);
  app.footer(kReplayExamples);
  if (const auto status = system::read_arguments(app, {argv + std::min(argc, 2), argv + argc})) {
    return *status;
  }
  if (command.to.address.empty()) return system::report_usage(app, messages::kNoReplayEndpoint);
  command.to.retries = false;
  return command;
}

}  // namespace magneto::server::tools
