#include "api/messages/vector_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {
namespace {

// Escapes a character as Rust's debug format does.
void append_escaped(char c, std::string& text) {
  constexpr char kDelete = 0x7F;
  if (c == '"' || c == '\\') {
    text.append(1, '\\').append(1, c);
  } else if (c == '\n') {
    text += "\\n";
  } else if (c == '\r') {
    text += "\\r";
  } else if (c == '\t') {
    text += "\\t";
  } else if (c == '\0') {
    text += "\\0";
  } else if ((c > 0 && c < ' ') || c == kDelete) {
    text += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(c));
  } else {
    text += c;
  }
}

}  // namespace

std::string dimensions_out_of_range(std::size_t most) {
  return fmt::format(
      "One or more parameter values were invalid: Number of dimensions must be between 1 and {} inclusive.",
      most);
}

std::string too_many_vector_indexes(std::size_t most) {
  return fmt::format(
      "One or more parameter values were invalid: VectorIndex count exceeds the per-table limit of {}",
      most);
}

std::string conflicting_dimensions(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Conflicting attribute definition for '{}'. All VectorIndexes on the same vector attribute must use the same dimensions.",
      attribute);
}

std::string repeated_search_attribute(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Attribute {} must not stand twice in a vector index",
      attribute);
}

std::string vector_is_key(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Attribute {} cannot be a vector and part of a key",
      attribute);
}

std::string too_many_search_attributes(std::size_t most) {
  return fmt::format(
      "One or more parameter values were invalid: Number of elements in SearchSchema exceeds the limit of {}",
      most);
}

std::string not_a_vector_index(std::string_view verb, std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Cannot {} index {}, as it is not a vector index",
      verb, index);
}

std::string repeated_vector_update(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Only one vector index update per index is allowed simultaneously. Index: {}",
      index);
}

std::string unexpected_type(std::string_view found, std::string_view expected, std::size_t line,
                            std::size_t column) {
  return fmt::format("invalid type: {}, expected {} at line {} column {}", found, expected, line,
                     column);
}

std::string unexpected_value(std::string_view found, std::string_view expected, std::size_t line,
                             std::size_t column) {
  return fmt::format("invalid value: {}, expected {} at line {} column {}", found, expected, line,
                     column);
}

std::string boolean_kind(bool value) { return fmt::format("boolean `{}`", value); }

std::string integer_kind(std::int64_t value) { return fmt::format("integer `{}`", value); }

std::string float_kind(double value) {
  std::string digits = fmt::format("{}", value);
  std::erase(digits, '+');  // of an exponent
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return fmt::format("floating point `{}`", digits);
}

std::string string_kind(std::string_view value) {
  std::string text;
  for (const char c : value) append_escaped(c, text);
  return fmt::format("string \"{}\"", text);
}

std::string missing_member(std::string_view member, std::size_t line, std::size_t column) {
  return fmt::format("missing field `{}` at line {} column {}", member, line, column);
}

std::string unknown_variant(std::string_view name, std::size_t line, std::size_t column) {
  return fmt::format(
      "unknown variant `{}`, expected one of `B`, `BOOL`, `BS`, `DECIMAL`, `DECIMALSET`, `DOUBLE`, `DOUBLESET`, `INT`, `INTSET`, `L`, `M`, `N`, `NS`, `NULL`, `S`, `SS` at line {} column {}",
      name, line, column);
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

std::string search_value_type(std::string_view attribute, storage::AttributeType found,
                              storage::AttributeType expected) {
  return fmt::format(
      "Type of '{}' attribute in SearchConditionExpression ({}) does not match type in search schema ({})",
      attribute, storage::type_name(found), storage::type_name(expected));
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
