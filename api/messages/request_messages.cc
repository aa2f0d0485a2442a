#include "api/messages/request_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string not_with_shared(std::string_view what) {
  return fmt::format("{} is not supported where several servers share the store (--shared)", what);
}

std::string unsupported_parameter(std::string_view parameter) {
  return fmt::format("One or more parameter values were invalid: Magneto does not support {}",
                     parameter);
}

std::string missing_parameter(std::string_view parameter) {
  return fmt::format("The parameter '{}' is required but was not present in the request",
                     parameter);
}

std::string list_for_map(std::string_view type) {
  return fmt::format("Unrecognized collection type {}", type);
}

std::string list_for_class(std::string_view type) {
  return fmt::format("Unrecognized collection type class {}", type);
}

std::string not_convertible(std::string_view token, std::string_view type) {
  return fmt::format("{} cannot be converted to {}", token, type);
}

std::string base64_length(std::size_t length) {
  return fmt::format("Base64 encoded length is expected a multiple of 4 bytes but found: {}",
                     length);
}

std::string null_at(std::string_view path) {
  return fmt::format("Value null at '{}' failed to satisfy constraint: Member must not be null",
                     path);
}

std::string value_at(std::string_view value, std::string_view path, std::string_view constraint) {
  return fmt::format("Value '{}' at '{}' failed to satisfy constraint: {}", value, path,
                     constraint);
}

std::string hidden_value_at(std::string_view path, std::string_view constraint) {
  return fmt::format("Value at '{}' failed to satisfy constraint: {}", path, constraint);
}

std::string hidden_enum(std::string_view values) {
  return fmt::format("Failed to satisfy constraint: Member must satisfy enum value set: [{}]",
                     values);
}

std::string several_violations(std::size_t count, std::string_view problems) {
  return fmt::format("{} validation errors detected: {}", count, problems);
}

std::string at_least(std::string_view measure, std::int64_t least) {
  return fmt::format("Member must have {} greater than or equal to {}", measure, least);
}

std::string at_most(std::string_view measure, std::int64_t most) {
  return fmt::format("Member must have {} less than or equal to {}", measure, most);
}

std::string pattern(std::string_view text) {
  return fmt::format("Member must satisfy regular expression pattern: {}", text);
}

std::string enum_values(std::span<const std::string_view> values) {
  return fmt::format("Member must satisfy enum value set: [{}]", fmt::join(values, ", "));
}

std::string map_keys(std::string_view constraints) {
  return fmt::format("Map keys must satisfy constraint: [{}]", constraints);
}

std::string map_values(std::string_view constraints) {
  return fmt::format("Map value must satisfy constraint: [{}]", constraints);
}

}  // namespace magneto::api::messages
