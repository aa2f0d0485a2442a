#include "api/messages/policy_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string policy_not_found(std::string_view arn) {
  return fmt::format("Resource-based policy not found for the provided ResourceArn: {}", arn);
}

std::string policy_exists(std::string_view table, std::string_view revision) {
  return fmt::format(
      "Resource-based policy not found for the provided ResourceArn: Requested policy update expecting none to be present for table {}, but a policy exists with revision id {}.",
      table, revision);
}

std::string other_policy_revision(std::string_view expected, std::string_view table,
                                  std::string_view revision) {
  return fmt::format(
      "Resource-based policy not found for the provided ResourceArn: Requested update for policy with revision id {}, but the policy associated to target table {} has revision id {}.",
      expected, table, revision);
}

std::string no_policy_of_revision(std::string_view expected, std::string_view table) {
  return fmt::format(
      "Resource-based policy not found for the provided ResourceArn: Requested update for policy with revision id {}, but table {} has no associated policy.",
      expected, table);
}

std::string stream_of_table_not_found(std::string_view label, std::string_view table) {
  return fmt::format("Requested resource not found: Stream: {} not found for Table: {}", label,
                     table);
}

std::string invalid_resource_arn(std::string_view arn) {
  return fmt::format("One or more parameter values were invalid: Invalid resource Arn: {}", arn);
}

std::string policy_too_large(std::size_t most) {
  return fmt::format(
      "One or more parameter values were invalid: Maximum policy size of {} bytes exceeded", most);
}

std::string invalid_policy(std::string_view what) {
  return fmt::format("One or more parameter values were invalid: Invalid policy document: {}",
                     what);
}

std::string policy_syntax_error(std::size_t row, std::size_t column) {
  return fmt::format("Syntax error at position ({},{})", row, column);
}

std::string missing_policy_field(std::string_view field) {
  return fmt::format("Missing required field {}", field);
}

std::string unknown_policy_field(std::string_view field) {
  return fmt::format("Unknown field {}", field);
}

std::string repeated_policy_field(std::string_view field) {
  return fmt::format("Duplicate field {}", field);
}

std::string invalid_policy_effect(std::string_view effect) {
  return fmt::format("Invalid effect: {}", effect);
}

std::string invalid_policy_resource(std::string_view resource) {
  return fmt::format("Resource {} must be in ARN format or \"*\".", resource);
}

std::string foreign_policy_resource(std::string_view id, std::string_view resource) {
  return fmt::format("The relative-id \"{}\" is invalid for ARN \"{}\"", id, resource);
}

std::string invalid_policy_actions(std::span<const std::string_view> actions) {
  std::string names;
  for (const std::string_view action : actions) {
    names.append(names.empty() ? "" : ", ").append("\"").append(action).append("\"");
  }
  return fmt::format("The following action names are invalid: {}", names);
}

}  // namespace magneto::api::messages
