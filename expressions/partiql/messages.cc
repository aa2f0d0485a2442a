#include "expressions/partiql/messages.h"

#include <fmt/format.h>

namespace magneto::expressions::messages {

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

std::string unsupported_clause(std::string_view clause) {
  return fmt::format("SELECT does not support {}", clause);
}

std::string returning_of_delete(std::string_view returning) {
  return fmt::format(
      "Invalid returning clause: RETURNING {}. Only RETURNING ALL OLD * is allowed in DELETE statements.",
      returning);
}

std::string duplicate_column(std::string_view name) {
  return fmt::format("Two columns have the name {}", name);
}

std::string condition_operator(std::string_view term) {
  return fmt::format("A condition does not support the operator {}", term);
}

std::string not_an_attribute_type(std::string_view type, std::string_view location) {
  return fmt::format("No attribute has the type {} at {}", type, location);
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
