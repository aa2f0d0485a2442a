#include "api/messages/write_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string delete_of_type(storage::AttributeType type) {
  return fmt::format(
      "One or more parameter values were invalid: DELETE action with value is not supported for the type {}",
      storage::type_name(type));
}

std::string add_of_type(storage::AttributeType type) {
  return fmt::format(
      "One or more parameter values were invalid: ADD action is not supported for the type {}",
      storage::type_name(type));
}

}  // namespace magneto::api::messages
