#include "api/messages/statement_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string contradicted_key(std::string_view attribute) {
  return fmt::format("Where clause asks for two values of the key attribute {}", attribute);
}

std::string order_by_other(std::string_view attribute) {
  return fmt::format("ORDER BY takes key attributes, which {} is not", attribute);
}

std::string too_many_keyed_reads(std::size_t most) {
  return fmt::format("The WHERE clause comes to more than {} reads by key", most);
}

}  // namespace magneto::api::messages
