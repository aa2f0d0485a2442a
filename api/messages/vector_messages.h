#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"

// Vector indexes in CreateTable and UpdateTable, and SearchVectors (captured facts, "CreateTable
// vector errors", "Index lifecycle" and "SearchVectors exact errors").
namespace magneto::api::messages {

inline constexpr std::string_view kVectorsOfProvisionedTable =
    "One or more parameter values were invalid: Vector indexes are only supported for PAY_PER_REQUEST tables";
inline constexpr std::string_view kSearchSchemaUndefined =
    "One or more parameter values were invalid: One element in SearchSchema is not defined in attribute definitions";
std::string dimensions_out_of_range(std::size_t most);
std::string too_many_vector_indexes(std::size_t most);
std::string conflicting_dimensions(std::string_view attribute);
std::string repeated_search_attribute(std::string_view attribute);
std::string vector_is_key(std::string_view attribute);
std::string too_many_search_attributes(std::size_t most);
std::string not_a_vector_index(std::string_view verb, std::string_view index);
inline constexpr std::string_view kNoVectorUpdates =
    "One or more parameter values were invalid: List of VectorIndexUpdates is empty";
inline constexpr std::string_view kNoVectorAction =
    "One or more parameter values were invalid: One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null";
inline constexpr std::string_view kSeveralVectorActions =
    "One or more parameter values were invalid: Only one vector index action is allowed per VectorIndexUpdate object";
std::string repeated_vector_update(std::string_view index);

// From the operation's own deserializer. `found` is a kind, `expected` a Rust type.
std::string unexpected_type(std::string_view found, std::string_view expected, std::size_t line,
                            std::size_t column);
std::string unexpected_value(std::string_view found, std::string_view expected, std::size_t line,
                             std::size_t column);
// Kinds, as serde's "Unexpected" words them.
inline constexpr std::string_view kNullKind = "null";
inline constexpr std::string_view kSequenceKind = "sequence";
inline constexpr std::string_view kMapKind = "map";
std::string boolean_kind(bool value);
std::string integer_kind(std::int64_t value);
std::string float_kind(double value);
std::string string_kind(std::string_view value);
std::string missing_member(std::string_view member, std::size_t line, std::size_t column);
// The name of a type of attribute values.
std::string unknown_variant(std::string_view name, std::size_t line, std::size_t column);

std::string top_k_out_of_range(std::int64_t value, std::int64_t most);
inline constexpr std::string_view kBadSearchVector =
    "Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point number attribute";
std::string search_dimensions(std::size_t found, std::size_t expected);
inline constexpr std::string_view kNoSearchCondition =
    "SearchConditionExpression must be provided when SearchSchema has a HASH key";
inline constexpr std::string_view kSearchComparator =
    "Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression";
inline constexpr std::string_view kNestedSearch =
    "Invalid SearchConditionExpression: SearchConditionExpression cannot have conditions on nested attributes";
inline constexpr std::string_view kRepeatedSearch =
    "Invalid SearchConditionExpression: SearchConditionExpression must only contain one condition per attribute";
inline constexpr std::string_view kForeignType = "This type mapping is not supported";
std::string not_in_search_schema(std::string_view attribute);
std::string missing_search_hash(std::string_view attribute);
std::string search_value_type(std::string_view attribute, storage::AttributeType found,
                              storage::AttributeType expected);
std::string backfilling_vector_index(std::string_view index);
std::string not_in_vector_index(std::string_view index, std::string_view attribute);

}  // namespace magneto::api::messages
