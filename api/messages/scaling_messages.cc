#include "api/messages/scaling_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string scaling_bounds(std::int64_t minimum, std::int64_t maximum) {
  return fmt::format(
      "One or more parameter values were invalid: MinimumUnits {} must not exceed MaximumUnits {}",
      minimum, maximum);
}

std::string not_a_global_table(std::string_view table) {
  return fmt::format(
      "One or more parameter values were invalid: Table {} is no global table of version 2019.11.21",
      table);
}

std::string repeated_replica(std::string_view region) {
  return fmt::format(
      "One or more parameter values were invalid: Only one update can be for the replica in region {}",
      region);
}

std::string repeated_index(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Only one update can be for index {}", index);
}

std::string index_of_global_table_not_found(std::string_view index, std::string_view table) {
  return fmt::format("Global table '{}' has no index {}", table, index);
}

}  // namespace magneto::api::messages
