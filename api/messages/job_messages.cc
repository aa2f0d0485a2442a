#include "api/messages/job_messages.h"

#include <fmt/format.h>

#include "api/times.h"

namespace magneto::api::messages {

std::string export_not_found(std::string_view arn) {
  // Repeated, as in AWS (captured from AWS, October 2026).
  return fmt::format("Export not found: Export not found: {}", arn);
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

std::string period_before_table(double from) {
  return fmt::format(
      "Incremental export period from time cannot be less than the table creation time : {}",
      seconds_text(from));
}

std::string period_in_the_future(double to) {
  return fmt::format(
      "Incremental export period to time cannot be greater than the current time : {}",
      seconds_text(to));
}

std::string csv_options_elsewhere(std::string_view format) {
  return fmt::format(
      "Invalid Request: Unsupported InputFormatOptions for the given input format: {}.", format);
}

std::string foreign_job_token(std::string_view token) {
  return fmt::format("Invalid Request: Provided nextToken is invalid: {}", token);
}

std::string long_job_request(std::size_t most) {
  return fmt::format("What is asked for takes more than {} bytes to describe", most);
}

std::string repeated_output(std::string_view type) {
  return fmt::format("OutputType has the value {} more than once", type);
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
