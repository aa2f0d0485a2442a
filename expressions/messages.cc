#include "expressions/messages.h"

#include <fmt/format.h>

namespace magneto::expressions::messages {

std::string_view content_word(storage::AttributeType type) {
  return type == storage::AttributeType::kString ? "string" : "binary";
}

std::string duplicate_members(std::string_view members) {
  return fmt::format(
      "One or more parameter values were invalid: Input collection [{}] contains duplicates.",
      members);
}

std::string empty_key_value(storage::AttributeType type, std::string_view attribute) {
  return fmt::format(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {} value. Key: {}",
      content_word(type), attribute);
}

std::string long_expression(std::size_t bytes) {
  return fmt::format("Expression size has exceeded the maximum allowed size; expression size: {}",
                     bytes);
}

std::string syntax_error(std::string_view token, std::string_view near) {
  return fmt::format("Syntax error; token: \"{}\", near: \"{}\"", token, near);
}

std::string too_many_operators(std::size_t count) {
  return fmt::format("The expression contains too many operators; operator count: {}", count);
}

std::string repeated_section(std::string_view section) {
  return fmt::format("The \"{}\" section can only be used once in an update expression;", section);
}

std::string unknown_function(std::string_view function) {
  return fmt::format("Invalid function name; function: {}", function);
}

std::string condition_function_in_update(std::string_view function) {
  return fmt::format("The function is not allowed in an update expression; function: {}", function);
}

std::string update_function_in_condition(std::string_view function) {
  return fmt::format("The function is not allowed in a condition expression; function: {}",
                     function);
}

std::string misplaced_function(std::string_view function) {
  return fmt::format(
      "The function is not allowed to be used this way in an expression; function: {}", function);
}

std::string operand_count(std::string_view function, std::size_t count) {
  return fmt::format(
      "Incorrect number of operands for operator or function; operator or function: {}, number of operands: {}",
      function, count);
}

std::string operand_type(std::string_view function, std::string_view type) {
  return fmt::format(
      "Incorrect operand type for operator or function; operator or function: {}, operand type: {}",
      function, type);
}

std::string action_operand_type(std::string_view action, std::string_view type) {
  return fmt::format(
      "Incorrect operand type for operator or function; operator: {}, operand type: {}, typeSet: ALLOWED_FOR_ADD_OPERAND",
      action, type);
}

std::string path_required(std::string_view function) {
  return fmt::format("Operator or function requires a document path; operator or function: {}",
                     function);
}

std::string same_operands(std::string_view function, std::string_view path) {
  return fmt::format(
      "The first operand must be distinct from the remaining operands for this operator or function; operator: {}, first operand: {}",
      function, path);
}

std::string too_many_in_operands(std::size_t count) {
  return fmt::format("The IN operator is provided with too many operands; number of operands: {}",
                     count);
}

std::string bounds_types_differ(std::string_view lower, std::string_view upper) {
  return fmt::format(
      "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: {}, upper bound operand: {}",
      lower, upper);
}

std::string bounds_reversed(std::string_view lower, std::string_view upper) {
  return fmt::format(
      "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: {}, upper bound operand: {}",
      lower, upper);
}

std::string unknown_type(std::string_view type, std::string_view known) {
  return fmt::format("Invalid attribute type name found; type: {}, valid types: {{{}}}", type,
                     known);
}

std::string undefined_name(std::string_view placeholder) {
  return fmt::format(
      "An expression attribute name used in the document path is not defined; attribute name: {}",
      placeholder);
}

std::string undefined_value(std::string_view placeholder) {
  return fmt::format(
      "An expression attribute value used in expression is not defined; attribute value: {}",
      placeholder);
}

std::string long_path(std::size_t levels) {
  return fmt::format("The document path has too many nesting levels; nesting levels: {}", levels);
}

std::string overlapping_paths(std::string_view one, std::string_view other) {
  return fmt::format(
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {}, path two: {}",
      one, other);
}

std::string conflicting_paths(std::string_view one, std::string_view other) {
  return fmt::format(
      "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: {}, path two: {}",
      one, other);
}

std::string key_operator(std::string_view comparison) {
  return fmt::format("Invalid operator used in KeyConditionExpression: {}", comparison);
}

std::string key_operator_without_attribute(std::string_view comparison) {
  return fmt::format(
      "Invalid condition in KeyConditionExpression: {} operator must have the key attribute as its first operand",
      comparison);
}

std::string missed_key(std::string_view attribute) {
  return fmt::format("Query condition missed key schema element: {}", attribute);
}

std::string too_many_key_conditions(std::size_t conditions, std::size_t attributes) {
  return fmt::format(
      "The number of query conditions ({}) exceeds the number of key attributes defined in the schema ({})",
      conditions, attributes);
}

std::string partition_without_equality(std::string_view attributes) {
  return fmt::format("HASH key attributes {} must have equality conditions specified in the query",
                     attributes);
}

std::string sort_without_equality(std::string_view attributes, std::string_view last) {
  return fmt::format(
      "RANGE key attributes {} must have equality conditions specified in the query because a condition is present on key attribute {}",
      attributes, last);
}

}  // namespace magneto::expressions::messages
