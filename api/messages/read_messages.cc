#include "api/messages/read_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string index_not_found(std::string_view index) {
  return fmt::format("The table does not have the specified index: {}", index);
}

std::string backfilling_index(std::string_view index) {
  return fmt::format("Cannot read from backfilling global secondary index: {}", index);
}

std::string not_projected(std::string_view index, std::span<const std::string_view> attributes) {
  return fmt::format(
      "One or more parameter values were invalid: Global secondary index {} does not project [{}]",
      index, fmt::join(attributes, ", "));
}

std::string filter_not_projected(std::string_view index,
                                 std::span<const std::string_view> attributes) {
  return fmt::format(
      "One or more parameter values were invalid: Secondary index {} does not project one or more filter attributes: [{}]",
      index, fmt::join(attributes, ", "));
}

std::string all_attributes_of_index(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index {} because its projection type is not ALL",
      index);
}

std::string duplicate_name(std::string_view attribute) {
  return fmt::format(
      "One or more parameter values were invalid: Duplicate value in attribute name: {}",
      attribute);
}

std::string projection_beside_select(std::string_view parameter, std::string_view select) {
  return fmt::format("Cannot specify the {} when choosing to get {}", parameter, select);
}

std::string filtered_key(std::string_view parameter, std::string_view attribute) {
  return fmt::format("{} can only contain non-primary key attributes: Primary key attribute: {}",
                     parameter, attribute);
}

std::string invalid_start_value(std::string_view problem) {
  return fmt::format("The provided starting key is invalid: {}", problem);
}

std::string start_in_other_segment(std::uint32_t total, std::uint32_t segment) {
  return fmt::format(
      "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: {} Segment: {}",
      total, segment);
}

}  // namespace magneto::api::messages
