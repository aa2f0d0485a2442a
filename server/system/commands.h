#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace magneto::server::system {

enum class CommandKind : std::uint8_t {
  kCopy,
  kExport,
  kHealthcheck,
  kHelp,
  kImport,
  kMcp,
  kReplay,
  kVersion,
};

// A command after the program's name: "magneto copy".
struct Command {
  std::string_view name;
  CommandKind kind;
  std::string_view purpose;  // one line of magneto --help
};

// All commands, sorted by name.
std::span<const Command> commands();

// The command with this name; nullptr if there is none.
const Command* find_command(std::string_view name);

// The names of all commands, separated by commas.
std::string command_names();

// The lines of magneto --help about the commands.
std::string commands_overview();

// The error about a word that is not a command.
std::string unknown_command_problem(std::string_view word);

}  // namespace magneto::server::system
