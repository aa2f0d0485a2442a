#include "api/messages/value_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string not_a_number(std::string_view text) {
  return fmt::format("The parameter cannot be converted to a numeric value: {}", text);
}

std::string null_in_set(std::string_view members) {
  return fmt::format(
      "One or more parameter values were invalid: An {} set may not have a null as a member",
      members);
}

std::string duplicate_binaries(std::string_view list) {
  return fmt::format(
      "One or more parameter values were invalid: Input collection [{}]of type BS contains duplicates.",
      list);
}

}  // namespace magneto::api::messages
