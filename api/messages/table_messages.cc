#include "api/messages/table_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string duplicate_definition(std::string_view attribute) {
  return fmt::format("Attribute Name is duplicated: {}", attribute);
}

std::string undefined_keys(std::span<const std::string_view> keys,
                           std::span<const std::string_view> definitions) {
  return fmt::format(
      "One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], AttributeDefinitions: [{}]",
      fmt::join(keys, ", "), fmt::join(definitions, ", "));
}

std::string unused_definitions(std::span<const std::string_view> definitions,
                               std::span<const std::string_view> keys) {
  return fmt::format(
      "One or more parameter values were invalid: Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: [{}]",
      fmt::join(definitions, ", "), fmt::join(keys, ", "));
}

std::string redefined_attribute(std::string_view existing, std::string_view wanted) {
  return fmt::format(
      "One or more parameter values were invalid: Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: {} New schema: {}",
      existing, wanted);
}

std::string stream_enabled(std::string_view table) {
  return fmt::format("Table already has an enabled stream: TableName: {}", table);
}

std::string stream_disabled(std::string_view table) {
  return fmt::format("Table has no stream to disable: TableName: {}", table);
}

std::string change_not_alone(std::string_view change) {
  return fmt::format(
      "One or more parameter values were invalid: {} must be the only operation in the request",
      change);
}

}  // namespace magneto::api::messages
