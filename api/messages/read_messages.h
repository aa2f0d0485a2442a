#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Reads of items: index, attributes, and the start of a page.
namespace magneto::api::messages {

// For the first two, SELECT has its own words: statement_messages.h.
std::string index_not_found(std::string_view index);
inline constexpr std::string_view kConsistentIndexRead =
    "Consistent reads are not supported on global secondary indexes";
std::string backfilling_index(std::string_view index);
// For a vector index (captured facts, "SearchVectors results").
inline constexpr std::string_view kNoScanOfIndex =
    "Scan operation not supported on this index type";
std::string not_projected(std::string_view index, std::span<const std::string_view> attributes);
std::string filter_not_projected(std::string_view index,
                                 std::span<const std::string_view> attributes);
std::string all_attributes_of_index(std::string_view index);
std::string duplicate_name(std::string_view attribute);
inline constexpr std::string_view kNothingSelected =
    "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES";
std::string projection_beside_select(std::string_view parameter, std::string_view select);
// AWS says "Querying" for a Scan too.
inline constexpr std::string_view kProjectedWithoutIndex =
    "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName";
inline constexpr std::string_view kNoKeyCondition =
    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.";
std::string filtered_key(std::string_view parameter, std::string_view attribute);
inline constexpr std::string_view kTooManyReads =
    "Too many items requested for the BatchGetItem call";

inline constexpr std::string_view kInvalidStart = "The provided starting key is invalid";
std::string invalid_start_value(std::string_view problem);
inline constexpr std::string_view kStartOfOneItem = "The provided exclusive start key is invalid";
inline constexpr std::string_view kStartBesideSortCondition =
    "The provided starting key does not match the range key predicate";
inline constexpr std::string_view kStartBehindOneRow =
    "The query can return at most one row and cannot be restarted";
inline constexpr std::string_view kStartOutside =
    "The provided starting key is outside query boundaries based on provided conditions";
std::string start_in_other_segment(std::uint32_t total, std::uint32_t segment);

inline constexpr std::string_view kSegmentWithoutTotal =
    "The TotalSegments parameter is required but was not present in the request when Segment parameter is present";
inline constexpr std::string_view kTotalWithoutSegment =
    "The Segment parameter is required but was not present in the request when parameter TotalSegments is present";
inline constexpr std::string_view kSegmentTooHigh =
    "The Segment parameter is zero-based and must be less than parameter TotalSegments";

}  // namespace magneto::api::messages
