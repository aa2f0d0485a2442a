#include "api/messages/parameter_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string mixed_parameters(std::span<const std::string_view> non_expressions,
                             std::span<const std::string_view> expressions) {
  return fmt::format(
      "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
      fmt::join(non_expressions, ", "), fmt::join(expressions, ", "));
}

std::string invalid_expression(std::string_view parameter, std::string_view problem) {
  return fmt::format("Invalid {}: {}", parameter, problem);
}

std::string invalid_name_placeholder(std::string_view placeholder) {
  return fmt::format("ExpressionAttributeNames contains invalid key: Syntax error; key: \"{}\"",
                     placeholder);
}

std::string invalid_name(std::string_view problem, std::string_view placeholder) {
  return fmt::format("ExpressionAttributeNames contains invalid value: {} for key {}", problem,
                     placeholder);
}

std::string unused_names(std::span<const std::string_view> placeholders) {
  return fmt::format(
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {{{}}}",
      fmt::join(placeholders, ", "));
}

std::string values_without_expression(std::string_view expression) {
  return fmt::format(
      "ExpressionAttributeValues can only be specified when using expressions: {} is null",
      expression);
}

std::string values_without_expressions(std::span<const std::string_view> expressions) {
  return fmt::format(
      "ExpressionAttributeValues can only be specified when using expressions: {} are null",
      fmt::join(expressions, " and "));
}

std::string invalid_value_placeholder(std::string_view placeholder) {
  return fmt::format("ExpressionAttributeValues contains invalid key: Syntax error; key: \"{}\"",
                     placeholder);
}

std::string invalid_value(std::string_view problem, std::string_view placeholder) {
  return fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}", problem,
                     placeholder);
}

std::string unused_values(std::span<const std::string_view> placeholders) {
  return fmt::format(
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {{{}}}",
      fmt::join(placeholders, ", "));
}

std::string operand_count(std::string_view comparison) {
  return fmt::format(
      "One or more parameter values were invalid: Invalid number of argument(s) for the {} ComparisonOperator",
      comparison);
}

std::string operand_type(std::string_view comparison, storage::AttributeType type) {
  return fmt::format(
      "One or more parameter values were invalid: ComparisonOperator {} is not valid for {} AttributeValue type",
      comparison, storage::type_name(type));
}

std::string list_without_operator(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: AttributeValueList can only be used with a ComparisonOperator for Attribute: {}",
      attribute);
}

std::string value_of_missing(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: {}",
      attribute);
}

std::string value_missing(std::string_view exists, std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Value must be provided when Exists is {} for Attribute: {}",
      exists, attribute);
}

std::string value_beside_list(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Value and AttributeValueList cannot be used together for Attribute: {}",
      attribute);
}

std::string exists_beside_operator(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Exists and ComparisonOperator cannot be used together for Attribute: {}",
      attribute);
}

std::string operands_missing(std::string_view comparison, std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Value or AttributeValueList must be used with ComparisonOperator: {} for Attribute: {}",
      comparison, attribute);
}

}  // namespace magneto::api::messages
