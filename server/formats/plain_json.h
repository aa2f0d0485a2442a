#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server::formats {

// Plain JSON ({"a":"x","n":1.5}) is the form that a program would write without DynamoDB's types.
// Strings, numbers, booleans, null, arrays and objects are S, N, BOOL, NULL, L and M. Sets and
// binary values have no plain form.

// Deeper values are refused; DynamoDB takes 32 levels.
inline constexpr std::size_t kMaxPlainLevels = 64;

// Replaces `item` with the typed form of a plain object: {"a":{"S":"x"},"n":{"N":"1.5"}}. Numbers
// keep their text, so no digit is lost. Returns nullopt on success, otherwise the reason. Strings
// are copied unchanged; their escapes and bytes are checked when the item is parsed.
std::optional<std::string_view> read_plain_item(std::string_view text, std::string& item);

// Appends the plain form of a typed item. Returns the first type without a plain form, "SS" or "B";
// empty if all have one. A number becomes a JSON number with the same text.
std::string_view append_plain_item(api::json::Value item, std::string& out);

}  // namespace magneto::server::formats
