#include "server/tools/messages.h"

#include <fmt/format.h>

namespace magneto::server::tools::messages {

std::string no_endpoint(std::string_view flag) {
  return fmt::format("give the endpoint with {}, or Magneto's files with --data-dir", flag);
}

std::string which_json(std::string_view names) {
  return fmt::format(
      "json may mean two formats: json-typed is DynamoDB's, with {{\"S\": \"x\"}} as a value, json-plain has \"x\"; it must be one of {}",
      names);
}

std::string no_directory(std::string_view path) { return fmt::format("{} is no directory", path); }

}  // namespace magneto::server::tools::messages
