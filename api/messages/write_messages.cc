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

std::string key_too_long(std::size_t bytes, std::size_t limit) {
  return fmt::format(
      "The key of an item or index entry has {} bytes in the store, which is more than the {} that PostgreSQL can hold.",
      bytes, limit);
}

}  // namespace magneto::api::messages
