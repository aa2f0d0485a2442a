#include "api/messages/statement_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string several_key_values(std::string_view attribute) {
  return fmt::format(
      "Multiple conditions on same key {}. Only single item Update/Insert/Delete are supported",
      attribute);
}

std::string order_by_other(std::string_view attribute) {
  return fmt::format("Attribute {} in ORDER BY clause must be part of the primary key", attribute);
}

}  // namespace magneto::api::messages
