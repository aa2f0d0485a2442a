#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// PartiQL statements as requests. For errors in their text, see expressions/messages.h.
namespace magneto::api::messages {

inline constexpr std::string_view kMultiAttributeKeys =
    "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.";
// For these two, Query and Scan have their own words: read_messages.h.
inline constexpr std::string_view kNoIndex = "The table does not have the specified index";
inline constexpr std::string_view kConsistentIndexStatement =
    "Strongly consistent read is not supported on Global Secondary Indexes";
std::string contradicted_key(std::string_view attribute);
inline constexpr std::string_view kIncompleteKey =
    "Where clause does not contain a mandatory equality on all key attributes";
std::string order_by_other(std::string_view attribute);
inline constexpr std::string_view kOrderWithoutKey =
    "ORDER BY needs a WHERE clause that names the partition key";
inline constexpr std::string_view kOrderWithoutPartition =
    "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.";
std::string too_many_keyed_reads(std::size_t most);
inline constexpr std::string_view kOverlappingSortKeys =
    "Overlapping conditions with range keys are not supported in where clause";
inline constexpr std::string_view kDuplicateItem = "Duplicate primary key exists in table";
inline constexpr std::string_view kInvalidToken = "Invalid NextToken";
inline constexpr std::string_view kForeignToken = "NextToken does not match request";

// AWS developer guide, "EXISTS function".
inline constexpr std::string_view kExistsOutsideTransaction =
    "EXISTS can only be used in transactions";
inline constexpr std::string_view kBatchReadWithoutKey =
    "Select statements within BatchExecuteStatement must specify the primary key in the where clause.";
// AWS developer guide, "PartiQL batch operations".
inline constexpr std::string_view kMixedBatch =
    "A batch consists of read statements or of write statements, not of both";
inline constexpr std::string_view kBatchTooLong = "The batch takes too long to execute";

}  // namespace magneto::api::messages
