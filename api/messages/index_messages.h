#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Indexes in CreateTable and UpdateTable.
namespace magneto::api::messages {

inline constexpr std::string_view kNoLocalIndexes =
    "One or more parameter values were invalid: List of LocalSecondaryIndexes is empty";
inline constexpr std::string_view kNoGlobalIndexes =
    "One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty";
inline constexpr std::string_view kNoIndexUpdates =
    "One or more parameter values were invalid: List of GlobalSecondaryIndexUpdates is empty";
inline constexpr std::string_view kLocalIndexWithoutSortKey =
    "One or more parameter values were invalid: Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex";
std::string index_without_sort_key(std::string_view index);
std::string other_partition_key(std::string_view index, std::string_view index_key,
                                std::string_view table_key);
std::string duplicate_index(std::string_view index);
inline constexpr std::string_view kIndexExists =
    "Attempting to create an index which already exists";
std::string index_without_definitions(std::string_view index);
// `verb`: "update" or "delete".
std::string not_a_global_index(std::string_view verb, std::string_view index);

inline constexpr std::string_view kNoProjectionType =
    "One or more parameter values were invalid: Unknown ProjectionType: null";
inline constexpr std::string_view kIncludeWithoutAttributes =
    "One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not specified";
std::string attributes_without_include(std::string_view type);
std::string duplicate_projected(std::string_view attribute);
std::string too_many_projected(std::size_t most);

std::string too_many_local_indexes(std::size_t most);
// CreateTable, and UpdateTable.
std::string too_many_global_indexes(std::size_t most);
std::string one_global_index_too_many(std::size_t most);

inline constexpr std::string_view kNoIndexAction =
    "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null";
inline constexpr std::string_view kSeveralIndexActions =
    "One or more parameter values were invalid: Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object";
std::string repeated_index_update(std::string_view index);

inline constexpr std::string_view kOneOnlineIndex =
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table";

}  // namespace magneto::api::messages
