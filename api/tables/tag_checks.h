#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::api {

inline constexpr std::size_t kMaxTags = 50;            // of a table
inline constexpr std::size_t kMaxTagsSize = 10'240;    // bytes of all keys and values
inline constexpr std::int64_t kMaxTagKeyLength = 128;  // UTF-16 units
inline constexpr std::int64_t kMaxTagValueLength = 256;

using Tags = std::vector<std::pair<std::string, std::string>>;

// Reads a list of {Key, Value} that has passed the shape check. Throws ValidationException for keys
// and values that DynamoDB refuses, for repeated keys, and above kMaxTags or kMaxTagsSize.
Tags read_tags(json::Array list);
// Reads a list of keys. Throws ValidationException for a wrong length, number or prefix (captured
// from AWS, October 2026).
std::vector<std::string_view> read_tag_keys(json::Array list);

// Adds tags. An added tag replaces one with the same key. Throws ValidationException if the result
// has more than kMaxTags tags or kMaxTagsSize bytes.
void add_tags(Tags& tags, Tags added);

}  // namespace magneto::api
