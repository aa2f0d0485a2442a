#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "expressions/messages.h"
#include "storage/model/attribute_value.h"

// Keys of items, and attributes that are keys of indexes.
namespace magneto::api::messages {

inline constexpr std::string_view kKeyMismatch =
    "The provided key element does not match the schema";
inline constexpr std::string_view kDuplicateKeys = "Provided list of item keys contains duplicates";
std::string missing_key(std::string_view attribute);
std::string key_type_mismatch(std::string_view attribute, storage::AttributeType expected,
                              storage::AttributeType actual);
std::string index_key_type_mismatch(std::string_view attribute, storage::AttributeType expected,
                                    storage::AttributeType actual, std::string_view index);
inline constexpr std::string_view kUpdatedIndexKeyType =
    "The update expression attempted to update the secondary index key to unsupported type";

// An empty key value: of the table, of an index, and of an index in an update. `type` is kString or
// kBinary.
using expressions::messages::empty_key_value;
std::string empty_index_key_value(storage::AttributeType type, std::string_view index,
                                  std::string_view attribute);
std::string empty_updated_index_key_value(storage::AttributeType type);

// "of2048" without a space is AWS's own spelling.
inline constexpr std::string_view kLongPartitionKey =
    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes";
inline constexpr std::string_view kLongSortKey =
    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
std::string long_index_key(std::string_view attribute, std::size_t bytes, std::size_t most,
                           std::string_view index);

// `kind`: "Key", or "IndexKey" for the key of an index.
std::string nested_key(std::string_view kind, std::string_view attribute);
std::string updated_key(std::string_view attribute);

// For an attribute of a vector index (captured facts, "Writes on a vector table").
std::string no_vector(std::string_view attribute, std::string_view index);
std::string vector_size(std::string_view attribute, std::size_t expected, std::size_t actual,
                        std::string_view index);
std::string vector_element(std::string_view attribute, std::size_t position,
                           storage::AttributeType actual, std::string_view index);

}  // namespace magneto::api::messages
