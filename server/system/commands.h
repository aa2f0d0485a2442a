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
  kReplay,
  kVersion,
};

// A word behind the program's name: "magneto copy".
struct Command {
  std::string_view name;
  CommandKind kind;
  std::string_view purpose;  // one line of magneto --help
};

// All of them, in the order of their names.
std::span<const Command> commands();

// The command of that name; nullptr: there is none.
const Command* find_command(std::string_view name);

// Their names, separated by commas.
std::string command_names();

// What magneto --help says of them.
std::string commands_overview();

// The sentence for a word that is no command.
std::string unknown_command_problem(std::string_view word);

}  // namespace magneto::server::system
