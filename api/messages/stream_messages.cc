#include "api/messages/stream_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string invalid_stream_arn(std::string_view arn) {
  return fmt::format("Invalid StreamArn: Invalid ResourceArn provided as input {}", arn);
}

std::string stream_not_found(std::string_view arn) {
  return fmt::format("Requested resource not found: Stream: {} not found", arn);
}

std::string invalid_sequence_number(std::string_view text) {
  return fmt::format("Invalid SequenceNumber: {}", text);
}

std::string iterator_member_given(std::string_view member, std::string_view iterator_type) {
  return fmt::format(
      "One or more parameter values were invalid: {} must not be given with ShardIteratorType {}",
      member, iterator_type);
}

std::string iterator_member_missing(std::string_view member, std::string_view iterator_type) {
  return fmt::format(
      "One or more parameter values were invalid: {} must be given with ShardIteratorType {}",
      member, iterator_type);
}

}  // namespace magneto::api::messages
