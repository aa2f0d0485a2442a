#include "server/run_command.h"

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/command_line.h"
#include "server/command_line_messages.h"
#include "server/healthcheck_command.h"
#include "server/transfer/transfer_command.h"

namespace magneto::server {
namespace {

constexpr std::string_view kJava = "java";
constexpr int kWrongUse = 2;

// What the server's command line prints with `flag`, such as --help, in front of what followed the
// command.
int print_by_flag(const char* flag, int argc, const char* const* argv) {
  std::vector<const char*> words = {argv[0], flag};
  words.insert(words.end(), argv + 2, argv + argc);
  return std::get<int>(parse_command_line(argc, words.data()));  // as many words as before
}

int refuse_use(std::string_view problem) {
  std::fputs(messages::usage_error("magneto", problem).c_str(), stderr);
  return kWrongUse;
}

// "magneto help", and "magneto help copy" for "magneto copy --help".
int show_help(int argc, const char* const* argv, const OpenDirectory& open_directory) {
  if (argc < 3 || argv[2][0] == '-') return print_by_flag("--help", argc, argv);
  const Command* const topic = find_command(argv[2]);
  if (topic == nullptr) return refuse_use(unknown_command_problem(argv[2]));
  if (argc > 3) return refuse_use(messages::unknown_argument(argv[3], ""));
  if (topic->kind == CommandKind::kHelp) return print_by_flag("--help", 2, argv);
  const std::array<const char*, 3> words = {argv[0], argv[2], "--help"};
  return run_command(*topic, 3, words.data(), open_directory);
}

}  // namespace

const Command* command_of(int argc, const char* const* argv) {
  if (argc < 2) return nullptr;
  const std::string_view program = argv[0];
  if (program.substr(program.rfind('/') + 1) == kJava) return nullptr;
  return find_command(argv[1]);
}

int run_command(const Command& command, int argc, const char* const* argv,
                const OpenDirectory& open_directory) {
  switch (command.kind) {
    case CommandKind::kHealthcheck:
      return run_healthcheck_command(argc, argv);
    case CommandKind::kHelp:
      return show_help(argc, argv, open_directory);
    case CommandKind::kVersion:
      return print_by_flag("--version", argc, argv);
    case CommandKind::kCopy:
    case CommandKind::kExport:
    case CommandKind::kImport:
    case CommandKind::kReplay:
      break;
  }
  return run_transfer_command(command.kind, argc, argv, open_directory);
}

}  // namespace magneto::server
