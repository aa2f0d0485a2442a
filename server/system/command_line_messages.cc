#include "server/system/command_line_messages.h"

#include <fmt/core.h>

namespace magneto::server::system::messages {

std::string usage_error(std::string_view command, std::string_view problem) {
  return fmt::format("magneto: {} ({} --help lists the flags)\n", problem, command);
}

std::string of_flag(std::string_view flag, std::string_view variable, std::string_view problem) {
  return fmt::format("{} ({}) {}", flag, variable, problem);
}

std::string of_flag(std::string_view flag, std::string_view problem) {
  return fmt::format("{} {}", flag, problem);
}

std::string not_a_number(std::uint64_t lowest, std::uint64_t highest, std::string_view given) {
  return fmt::format("must be a whole number from {} to {}, not '{}'", lowest, highest, given);
}

std::string not_one_of(std::string_view names, std::string_view given) {
  return fmt::format("must be one of {}, not '{}'", names, given);
}

std::string not_a_list(std::string_view of_what, std::string_view given) {
  return fmt::format("must be * or a list of {}, not '{}'", of_what, given);
}

std::string needs_value(std::string_view flag) { return fmt::format("{} needs a value", flag); }

std::string given_twice(std::string_view flag) {
  return fmt::format("{} is given more than once; it takes one value", flag);
}

std::string not_a_switch(std::string_view flag, std::string_view variable) {
  return fmt::format("{} ({}) is either true or false", flag, variable);
}

std::string not_a_switch(std::string_view flag) {
  return fmt::format("{} is either true or false", flag);
}

std::string not_a_quantity(double lowest, double highest, std::string_view given) {
  return fmt::format("must be a number from {} to {:.0f}, not '{}'", lowest, highest, given);
}

std::string unknown_argument(std::string_view argument, std::string_view nearest) {
  if (nearest.empty()) return fmt::format("unknown argument {}", argument);
  return fmt::format("unknown argument {}; did you mean {}?", argument, nearest);
}

std::string misplaced_command(std::string_view word) {
  return fmt::format("{} is a command, and must come first: magneto {}", word, word);
}

std::string missing_words(std::string_view type) {
  return fmt::format("at least one {} is required", type);
}

std::string unknown_command(std::string_view word, std::string_view nearest,
                            std::string_view names) {
  if (!nearest.empty()) return fmt::format("unknown command {}; did you mean {}?", word, nearest);
  return fmt::format("unknown command {}; there are {}, and without a command magneto serves", word,
                     names);
}

std::string unknown_variable(std::string_view name, std::string_view nearest) {
  if (!nearest.empty()) {
    return fmt::format("unknown environment variable {}; did you mean {}?", name, nearest);
  }
  return fmt::format("unknown environment variable {}; unset it", name);
}

std::string not_a_server_url(std::string_view given) {
  return fmt::format("--url must be a URL such as http://localhost:8000, not '{}'", given);
}

std::string unhealthy(std::string_view url, int status, std::string_view body) {
  return fmt::format("{} answers with status {}: {}", url, status, body);
}

std::string command_line(std::string_view name, std::string_view purpose) {
  return fmt::format("  magneto {:<12} {}\n", name, purpose);
}

std::string commands_overview(std::string_view lines) {
  return fmt::format("Without a command magneto serves. Each command has a --help:\n{}", lines);
}

std::string not_a_parameter(std::string_view given) {
  return fmt::format("must be NAME=VALUE, not '{}'", given);
}

std::string no_folder(std::string_view path) {
  return fmt::format("-dbPath {} is not a folder: make it first", path);
}

std::string no_objects_folder(std::string_view path) {
  return fmt::format("--s3-dir {} is not a folder: make it first", path);
}

std::string no_page_folder(std::string_view path) {
  return fmt::format("--ui-dir {} has no index.html: give server/browser/page of the sources",
                     path);
}

std::string unknown_local_option(std::string_view argument, std::string_view nearest) {
  if (!nearest.empty()) {
    return fmt::format("DynamoDB Local has no option {}; did you mean {}?", argument, nearest);
  }
  return fmt::format("DynamoDB Local has no option {}; -help lists them", argument);
}

std::string line(std::string_view what) { return fmt::format("magneto: {}\n", what); }

}  // namespace magneto::server::system::messages
