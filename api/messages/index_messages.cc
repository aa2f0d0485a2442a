#include "api/messages/index_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string index_without_sort_key(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Index KeySchema does not have a range key for index: {}",
      index);
}

std::string other_partition_key(std::string_view index, std::string_view index_key,
                                std::string_view table_key) {
  return fmt::format(
      "One or more parameter values were invalid: Index KeySchema does not have the same leading hash key as table KeySchema for index: {}. index hash key: {}, table hash key: {}",
      index, index_key, table_key);
}

std::string duplicate_index(std::string_view index) {
  return fmt::format("One or more parameter values were invalid: Duplicate index name: {}", index);
}

std::string index_without_definitions(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: AttributeDefinitions is not specified for index: {}",
      index);
}

std::string not_a_global_index(std::string_view verb, std::string_view index) {
  return fmt::format("Cannot {} an index that is not a GlobalSecondaryIndex: {}", verb, index);
}

std::string attributes_without_include(std::string_view type) {
  return fmt::format(
      "One or more parameter values were invalid: ProjectionType is {}, but NonKeyAttributes is specified",
      type);
}

std::string duplicate_projected(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Duplicate element in NonKeyAttributes: {}",
      attribute);
}

std::string too_many_projected(std::size_t most) {
  return fmt::format(
      "One or more parameter values were invalid: Number of NonKeyAttributes over all indexes exceeds the per-table limit of {}",
      most);
}

std::string too_many_local_indexes(std::size_t most) {
  return fmt::format(
      "One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of {}",
      most);
}

std::string too_many_global_indexes(std::size_t most) {
  return fmt::format(
      "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of {}",
      most);
}

std::string one_global_index_too_many(std::size_t most) {
  return fmt::format(
      "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of {}",
      most);
}

std::string repeated_index_update(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Only one global secondary index update per index is allowed simultaneously. Index: {}",
      index);
}

}  // namespace magneto::api::messages
