#include "expressions/partiql/messages.h"

#include <fmt/format.h>

namespace magneto::expressions::messages {

std::string missing_sign(std::string_view sign) {
  return fmt::format("Statement wasn't well formed, can't be processed: Expected {}", sign);
}

std::string missing_keyword(std::string_view keyword) {
  return fmt::format("Statement wasn't well formed, can't be processed: Expected {} keyword",
                     keyword);
}

std::string missing_word(std::string_view word) {
  return fmt::format("Statement wasn't well formed, can't be processed: {} is missing", word);
}

std::string missing_name(std::string_view word_before) {
  return fmt::format("Statement wasn't well formed, can't be processed: A name is missing after {}",
                     word_before);
}

std::string unsupported_operation(std::string_view term) {
  return fmt::format("Unsupported operation: {}", term);
}

std::string unknown_statement_function(std::string_view function, std::string_view location) {
  return fmt::format("Unrecognized function: {} at {}", function, location);
}

std::string insert_into_path(std::string_view location) {
  return fmt::format(
      "FROM clause may only contain a single table name in data manipulation statements at {}",
      location);
}

std::string unsupported_clause(std::string_view clause) {
  return fmt::format("SELECT does not support {}", clause);
}

std::string order_by_type(std::string_view type, std::string_view location) {
  return fmt::format("Argument to ORDER BY must be of type VariableReference. Type: {} at {}", type,
                     location);
}

std::string returning_of_delete(std::string_view returning) {
  return fmt::format(
      "Invalid returning clause: RETURNING {}. Only RETURNING ALL OLD * is allowed in DELETE statements.",
      returning);
}

std::string duplicate_column(std::string_view name) {
  return fmt::format("Two columns have the name {}", name);
}

std::string condition_operator(std::string_view operation) {
  return fmt::format("Unsupported operator in Condition Expression. Operator: {}", operation);
}

std::string type_of_no_attribute(std::string_view type, std::string_view location) {
  return fmt::format(
      "Unsupported data type for IS operator: {}. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at {}",
      type, location);
}

std::string nested_select(std::string_view location) {
  return fmt::format("Unsupported token in expression: SELECT at {}", location);
}

std::string set_operator(std::string_view term) {
  return fmt::format("SET does not support the operator {}", term);
}

std::string set_function_arguments(std::string_view function, std::string_view location) {
  return fmt::format("{} must have exactly two arguments at {}", function, location);
}

std::string set_function_target(std::string_view function, std::string_view location) {
  return fmt::format("The first argument to {} must equal the assignment value at {}", function,
                     location);
}

std::string set_function_value(std::string_view function, std::string_view location) {
  return fmt::format("The second argument to {} must be a value with type SET at {}", function,
                     location);
}

std::string no_key_type(std::string_view attribute, std::string_view type) {
  return fmt::format("Key value must be of type S, N, or B. Key name: {}, Key type: {}", attribute,
                     type);
}

std::string other_key_type(std::string_view attribute) {
  return fmt::format(
      "Key attribute's data type should match its data type in table's schema: Key {}", attribute);
}

std::string mixed_bag(std::string_view location) {
  return fmt::format(
      "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags at {}",
      location);
}

std::string null_in_numbers(std::string_view place) {
  return fmt::format(
      "One or more parameter values were invalid: Numeric sets may not contain null under {}",
      place);
}

std::string repeated_numbers(std::string_view members, std::string_view place) {
  return fmt::format(
      "One or more parameter values were invalid: Input collection [{}] contains duplicates! under {}",
      members, place);
}

std::string ion_literal(std::string_view kind, std::string_view place, std::string_view location) {
  return fmt::format("Ion Literals are not supported: {} under key {} at {}", kind, place,
                     location);
}

std::string too_deep(std::string_view place) {
  return fmt::format("Nesting Levels have exceeded supported limits under {}", place);
}

std::string repeated_name(std::string_view place) {
  return fmt::format("An attribute name stands twice under {}", place);
}

std::string invalid_number(std::string_view problem, std::string_view place) {
  return fmt::format("{} under {}", problem, place);
}

std::string unsupported_type(std::string_view term, std::string_view place,
                             std::string_view location) {
  return fmt::format("Unsupported data type: {} under key {} at {}", term, place, location);
}

std::string not_a_path(std::string_view location) {
  return fmt::format("Unexpected path component at {}", location);
}

std::string list_index(std::string_view index, std::string_view location) {
  return fmt::format("List index is not within the allowable range; index: [{}] at {}", index,
                     location);
}

}  // namespace magneto::expressions::messages
