#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "expressions/partiql/messages.h"

// PartiQL statements as requests. For errors in their text, see expressions/messages.h.
namespace magneto::api::messages {

inline constexpr std::string_view kMultiAttributeKeys =
    "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.";
// For these two, Query and Scan have their own words: read_messages.h.
inline constexpr std::string_view kNoIndex = "The table does not have the specified index";
inline constexpr std::string_view kConsistentIndexStatement =
    "Strongly consistent read is not supported on Global Secondary Indexes";
std::string several_key_values(std::string_view attribute);
inline constexpr std::string_view kIncompleteKey =
    "Where clause does not contain a mandatory equality on all key attributes";
inline constexpr std::string_view kOrderWithoutWhere =
    "Must have WHERE clause in the statement when using ORDER BY clause.";
std::string order_by_other(std::string_view attribute);
inline constexpr std::string_view kOrderWithoutKey =
    "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.";
inline constexpr std::string_view kOrderWithoutPartition =
    "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.";
inline constexpr std::string_view kTooManyKeyedReads =
    "Too many decomposed read operations for a given query.";
inline constexpr std::string_view kOverlappingSortKeys =
    "Overlapping conditions with range keys are not supported in where clause";
inline constexpr std::string_view kDuplicateItem = "Duplicate primary key exists in table";
inline constexpr std::string_view kInvalidToken = "Invalid NextToken";
inline constexpr std::string_view kForeignToken = "NextToken does not match request";

using expressions::messages::kExistsOutsideTransaction;
inline constexpr std::string_view kBatchReadWithoutKey =
    "Select statements within BatchExecuteStatement must specify the primary key in the where clause.";
inline constexpr std::string_view kMixedBatch =
    "Read and write requests together in the same batch is not supported.";
inline constexpr std::string_view kBatchTooLong = "The batch takes too long to execute";

}  // namespace magneto::api::messages
