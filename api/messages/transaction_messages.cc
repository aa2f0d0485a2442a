#include "api/messages/transaction_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string cancelled(std::string_view codes) {
  return fmt::format(
      "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes);
}

std::string large_payload(std::size_t bytes) {
  return fmt::format("Transaction payload size cannot exceed 4MB. Payload Size: {}", bytes);
}

std::string invalid_statement(std::size_t number, std::string_view problem) {
  return fmt::format("Validation failed in TransactStatements[{}]: {}", number, problem);
}

}  // namespace magneto::api::messages
