#include "api/messages/key_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string missing_key(std::string_view attribute) {
  return fmt::format("One or more parameter values were invalid: Missing the key {} in the item",
                     attribute);
}

std::string key_type_mismatch(std::string_view attribute, storage::AttributeType expected,
                              storage::AttributeType actual) {
  return fmt::format(
      "One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
      attribute, storage::type_name(expected), storage::type_name(actual));
}

std::string index_key_type_mismatch(std::string_view attribute, storage::AttributeType expected,
                                    storage::AttributeType actual, std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}",
      attribute, storage::type_name(expected), storage::type_name(actual), index);
}

std::string empty_index_key_value(storage::AttributeType type, std::string_view index,
                                  std::string_view attribute) {
  return fmt::format(
      "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty {} value. IndexName: {}, IndexKey: {}",
      expressions::messages::content_word(type), index, attribute);
}

std::string empty_updated_index_key_value(storage::AttributeType type) {
  return fmt::format(
      "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty {} value.",
      expressions::messages::content_word(type));
}

std::string long_index_key(std::string_view attribute, std::size_t bytes, std::size_t most,
                           std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Size limit exceeded for Index Key {} Actual Size: {} bytes Max Size: {} bytes IndexName: {}",
      attribute, bytes, most, index);
}

std::string nested_key(std::string_view kind, std::string_view attribute) {
  return fmt::format(
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {}: {}",
      kind, attribute);
}

std::string updated_key(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Cannot update attribute {}. This attribute is part of the key",
      attribute);
}

std::string no_vector(std::string_view attribute, std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid. Invalid type for parameter {}, Expected: 32-bit floating point number list IndexName: {}",
      attribute, index);
}

std::string vector_size(std::string_view attribute, std::size_t expected, std::size_t actual,
                        std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid. Invalid size for parameter {}, Expected: {}, Actual: {} IndexName: {}",
      attribute, expected, actual, index);
}

std::string vector_element(std::string_view attribute, std::size_t position,
                           storage::AttributeType actual, std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid. Invalid type for parameter {}[{}], Expected: 32-bit floating point number, Actual: {}. IndexName: {}",
      attribute, position, storage::type_name(actual), index);
}

}  // namespace magneto::api::messages
