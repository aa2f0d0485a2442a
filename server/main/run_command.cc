#include "server/main/run_command.h"

#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/admin/mcp/remote_agent_server.h"
#include "server/admin/mcp/stdio_bridge.h"
#include "server/main/command_line.h"
#include "server/system/command_line_messages.h"
#include "server/system/terminal.h"
#include "server/tools/healthcheck_command.h"
#include "server/tools/transfer_command.h"

namespace magneto::server::main {
namespace {

constexpr std::string_view kJava = "java";
constexpr int kWrongUse = 2;

// Prints what the server's command line prints for `flag`, such as --help. The words after the
// command follow the flag.
int print_by_flag(const char* flag, int argc, const char* const* argv) {
  std::vector<const char*> words = {argv[0], flag};
  words.insert(words.end(), argv + 2, argv + argc);
  // argc: the flag replaces the command
  return std::get<int>(parse_command_line(argc, words.data()));
}

int refuse_use(std::string_view problem) {
  std::fputs(system::messages::kUsageError(problem, "magneto").c_str(), stderr);
  return kWrongUse;
}

// Handles "magneto help", and "magneto help copy" as "magneto copy --help".
int show_help(int argc, const char* const* argv, const CommandContext& context) {
  if (argc < 3 || argv[2][0] == '-') return print_by_flag("--help", argc, argv);
  const system::Command* const topic = system::find_command(argv[2]);
  if (topic == nullptr) return refuse_use(system::unknown_command_problem(argv[2]));
  if (argc > 3) return refuse_use(system::messages::unknown_argument(argv[3], ""));
  if (topic->kind == system::CommandKind::kHelp) return print_by_flag("--help", 2, argv);
  const std::array<const char*, 3> words = {argv[0], argv[2], "--help"};
  return run_command(*topic, 3, words.data(), context);
}

// Passes messages on to a running server, or serves them with one in this process.
int serve_agents(int argc, const char* const* argv, const ServeAgent& serve_agent) {
  auto parsed = parse_mcp_command_line(argc, argv);
  if (const int* const status = std::get_if<int>(&parsed)) return *status;
  if (const OwnServer* const own = std::get_if<OwnServer>(&parsed)) return serve_agent(*own);
  try {
    admin::mcp::RemoteAgentServer remote(std::get<admin::mcp::RemoteOptions>(std::move(parsed)));
    admin::mcp::bridge_stdio({}, [&](std::string& message, const std::string& version) {
      return remote.answer(message, version);
    });
    return 0;
  } catch (const std::exception& error) {
    system::print_problem(error.what());
    return 1;
  }
}

}  // namespace

const system::Command* command_of(int argc, const char* const* argv) {
  if (argc < 2) return nullptr;
  const std::string_view program = argv[0];
  if (program.substr(program.rfind('/') + 1) == kJava) return nullptr;
  return system::find_command(argv[1]);
}

int run_command(const system::Command& command, int argc, const char* const* argv,
                const CommandContext& context) {
  switch (command.kind) {
    case system::CommandKind::kHealthcheck:
      return tools::run_healthcheck_command(argc, argv, unknown_server_variable);
    case system::CommandKind::kHelp:
      return show_help(argc, argv, context);
    case system::CommandKind::kMcp:
      return serve_agents(argc, argv, context.serve_agent);
    case system::CommandKind::kVersion:
      return print_by_flag("--version", argc, argv);
    case system::CommandKind::kCopy:
    case system::CommandKind::kExport:
    case system::CommandKind::kImport:
    case system::CommandKind::kReplay:
      break;
  }
  return tools::run_transfer_command(command.kind, argc, argv, context.open_directory);
}

}  // namespace magneto::server::main
