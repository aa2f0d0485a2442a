#include "api/messages/stream_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string invalid_stream_arn(std::string_view arn) {
  return fmt::format("Invalid StreamArn: Invalid ResourceArn provided as input {}", arn);
}

std::string stream_not_found(std::string_view arn) {
  return fmt::format("Requested resource not found: Stream: {} not found", arn);
}

std::string timestamp_given(std::string_view iterator_type) {
  return fmt::format(
      "One or more parameter values were invalid: Timestamp must not be given with ShardIteratorType {}",
      iterator_type);
}

}  // namespace magneto::api::messages
