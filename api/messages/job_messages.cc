#include "api/messages/job_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string export_not_found(std::string_view arn) {
  return fmt::format("Export not found: {}", arn);
}

std::string import_not_found(std::string_view arn) {
  return fmt::format("Import not found: {}", arn);
}

std::string bulk_operation_not_found(std::string_view arn) {
  return fmt::format("Bulk operation not found: {}", arn);
}

std::string no_point_in_time_recovery(std::string_view table) {
  return fmt::format("Point in time recovery is not enabled for table '{}'", table);
}

std::string long_job_request(std::size_t most) {
  return fmt::format("What is asked for takes more than {} bytes to describe", most);
}

std::string unusable_key(std::string_view member) {
  return fmt::format(
      "{} must be a relative path: without empty parts, '.', '..', control characters and parts of more than 200 bytes",
      member);
}

std::string other_request_of_token(std::string_view token) {
  return fmt::format("The ClientToken {} came with other parameters before", token);
}

std::string too_many_jobs(std::size_t most) {
  return fmt::format(
      "There are {} exports, imports and bulk operations that have not ended; wait for one of them",
      most);
}

}  // namespace magneto::api::messages
