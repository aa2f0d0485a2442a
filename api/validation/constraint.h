#pragma once

#include <cstdint>
#include <string_view>

#include "api/json/json_reader.h"
#include "api/validation/shape.h"

// The constraints of one value: ranges, lengths, patterns, enums.
namespace magneto::api {

// The length of valid UTF-8 in UTF-16 units.
std::int64_t utf16_length(std::string_view text);

// The value of a checked kInteger or kLong. DynamoDB drops its fraction and takes the nearest number
// of 32 or 64 bits.
std::int64_t integer_value(json::Value value, const Shape& shape);
// Whether that changes a kInteger.
bool is_cut(json::Value value);

// The length that a constraint applies to: UTF-16 units or code points of a string, elements of a
// list, members of
// a map. For a number, its value.
std::int64_t constrained_size(json::Value value, const Shape& shape);

bool below_minimum(json::Value value, const Shape& shape);
bool above_maximum(json::Value value, const Shape& shape);
bool matches_pattern(std::string_view text, const Shape& shape);
bool is_enum_value(std::string_view text, const Shape& shape);
// For a map whose keys are constrained: true if every key satisfies the constraints.
bool keys_satisfy(json::Value value, const Shape& shape);

// Checks all constraints of one value whose JSON type is right, but not those of its elements and
// members.
bool satisfies(json::Value value, const Shape& shape);

}  // namespace magneto::api
