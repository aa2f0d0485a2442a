#include "server/system/commands.h"

#include <algorithm>
#include <array>
#include <vector>

#include "api/nearest_name.h"
#include "server/system/command_line_messages.h"

namespace magneto::server::system {
namespace {

constexpr auto kCommands = std::to_array<Command>({
    {"copy", CommandKind::kCopy, "Copies tables from one endpoint to another"},
    {"export", CommandKind::kExport, "Writes the items of a table into a file"},
    {"healthcheck", CommandKind::kHealthcheck, "Checks whether a server is alive, or ready"},
    {"help", CommandKind::kHelp, "Shows this text, or that of a command: magneto help copy"},
    {"import", CommandKind::kImport, "Puts the items of files into a table"},
    {"mcp", CommandKind::kMcp, "Serves agents by the Model Context Protocol (MCP)"},
    {"replay", CommandKind::kReplay, "Sends the requests of a journal to an endpoint"},
    {"version", CommandKind::kVersion, "Shows the version"},
});

}  // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  const auto* const found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : found;
}

std::string command_names() {
  std::string names;
  for (const Command& command : kCommands) {
    names.append(names.empty() ? "" : ", ").append(command.name);
  }
  return names;
}

std::string commands_overview() {
  std::string lines;
  for (const Command& command : kCommands) {
    lines += messages::command_line(command.name, command.purpose);
  }
  return messages::kCommandsOverview(lines);
}

std::string unknown_command_problem(std::string_view word) {
  std::vector<std::string> names;
  names.reserve(kCommands.size());
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return messages::unknown_command(word, api::nearest_name(word, names), command_names());
}

}  // namespace magneto::server::system
