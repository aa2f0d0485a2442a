#include "api/messages/access_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string not_authorized(std::string_view principal, std::string_view action,
                           std::string_view resource, std::string_view reason) {
  return fmt::format("User: {} is not authorized to perform: dynamodb:{} on resource: {} {}",
                     principal, action, resource, reason);
}

std::string nothing_allows(std::string_view kind, std::string_view action) {
  return fmt::format("because no {} allows the dynamodb:{} action", kind, action);
}

std::string explicitly_denied(std::string_view article_and_kind) {
  return fmt::format("with an explicit deny in {}", article_and_kind);
}

std::string at_place(std::string_view place, std::string_view problem) {
  if (place.empty()) return std::string(problem);
  return fmt::format("{}: {}", place, problem);
}

std::string at_place_within(std::string_view place, std::string_view problem) {
  const bool has_place = problem.starts_with("Statement") || problem.starts_with("Version: ");
  return fmt::format("{}{}{}", place, has_place ? "." : ": ", problem);
}

std::string unknown_member(std::string_view name) { return fmt::format("Unknown member {}", name); }

std::string unknown_member(std::string_view name, std::string_view nearest) {
  if (nearest.empty()) return unknown_member(name);
  return fmt::format("{}; did you mean {}?", unknown_member(name), nearest);
}

std::string repeated_member(std::string_view name) {
  return fmt::format("{} is given twice", name);
}

std::string unknown_group(std::string_view name) {
  return fmt::format("Groups names no group {}", name);
}

std::string too_many_groups(std::size_t most) {
  return fmt::format("A user is in {} groups at most", most);
}

std::string one_of_two(std::string_view name, std::string_view other) {
  return fmt::format("Either {} or {} is needed", name, other);
}

std::string not_an_action(std::string_view text) {
  return fmt::format("An action is written as dynamodb:GetItem, not {}", text);
}

std::string not_a_resource(std::string_view text) {
  return fmt::format("A resource is * or begins with arn:, unlike {}", text);
}

std::string unknown_operator(std::string_view name) {
  return fmt::format("There is no condition operator {}", name);
}

std::string wrong_condition_value(std::string_view value, std::string_view form) {
  return fmt::format("A condition is given {}, which is not {}", value, form);
}

std::string repeated_access_key(std::string_view key) {
  return fmt::format("The access key {} is given to two principals", key);
}

}  // namespace magneto::api::messages
