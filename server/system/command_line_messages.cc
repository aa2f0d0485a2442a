#include "server/system/command_line_messages.h"

#include <fmt/core.h>

namespace magneto::server::system::messages {

std::string not_a_quantity(double lowest, double highest, std::string_view given) {
  return fmt::format("must be a number from {} to {:.0f}, not '{}'", lowest, highest, given);
}

std::string unknown_argument(std::string_view argument, std::string_view nearest) {
  if (nearest.empty()) return fmt::format("unknown argument {}", argument);
  return fmt::format("unknown argument {}; did you mean {}?", argument, nearest);
}

std::string unknown_command(std::string_view word, std::string_view nearest,
                            std::string_view names) {
  if (!nearest.empty()) return fmt::format("unknown command {}; did you mean {}?", word, nearest);
  return fmt::format(
      "unknown command {}; the commands are {}, and without a command magneto starts a server",
      word, names);
}

std::string unknown_variable(std::string_view name, std::string_view nearest) {
  if (!nearest.empty()) {
    return fmt::format("unknown environment variable {}; did you mean {}?", name, nearest);
  }
  return fmt::format("unknown environment variable {}; unset it", name);
}

std::string command_line(std::string_view name, std::string_view purpose) {
  return fmt::format("  magneto {:<12} {}\n", name, purpose);
}

std::string unknown_local_option(std::string_view argument, std::string_view nearest) {
  if (!nearest.empty()) {
    return fmt::format("DynamoDB Local has no option {}; did you mean {}?", argument, nearest);
  }
  return fmt::format("DynamoDB Local has no option {}; -help lists the options", argument);
}

}  // namespace magneto::server::system::messages
