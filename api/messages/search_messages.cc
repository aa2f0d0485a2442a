#include "api/messages/search_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string unexpected_type(std::string_view found, std::string_view expected, std::size_t line,
                            std::size_t column) {
  return fmt::format("invalid type: {}, expected {} at line {} column {}", found, expected, line,
                     column);
}

std::string missing_member(std::string_view member, std::size_t line, std::size_t column) {
  return fmt::format("missing field `{}` at line {} column {}", member, line, column);
}

std::string top_k_out_of_range(std::int64_t value, std::int64_t most) {
  return fmt::format(
      "Provided TopK value '{}' is out of valid range. The value must be between 1 and {} inclusive",
      value, most);
}

std::string search_dimensions(std::size_t found, std::size_t expected) {
  return fmt::format("Input search vector dimension {} does not match vector index dimension {}",
                     found, expected);
}

std::string not_in_search_schema(std::string_view attribute) {
  return fmt::format(
      "SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: {}",
      attribute);
}

std::string missing_search_hash(std::string_view attribute) {
  return fmt::format("SearchConditionExpression must contain the HASH key of SearchSchema: {}",
                     attribute);
}

std::string search_value_type(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Condition parameter type does not match schema type: {}",
      attribute);
}

std::string backfilling_vector_index(std::string_view index) {
  return fmt::format("Cannot search backfilling vector index: {}", index);
}

std::string not_in_vector_index(std::string_view index, std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Vector index {} does not project [{}]", index,
      attribute);
}

}  // namespace magneto::api::messages
