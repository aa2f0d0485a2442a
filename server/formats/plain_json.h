#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server::formats {

// Plain JSON ({"a":"x","n":1.5}) is what a program would write by itself: strings, numbers,
// booleans, null, arrays and objects are S, N, BOOL, NULL, L and M. Sets and binary values have no
// form of their own in it.

// Deeper values are refused; DynamoDB takes 32 levels.
inline constexpr std::size_t kMaxPlainLevels = 64;

// Replaces `item` with the typed form of a plain object: {"a":{"S":"x"},"n":{"N":"1.5"}}. Numbers
// keep their text, so that all digits arrive. Why it cannot; nullopt when it did. Strings are taken
// over as they lie there: whether their escapes and bytes are sound is seen when the item is parsed.
std::optional<std::string_view> read_plain_item(std::string_view text, std::string& item);

// Appends the plain form of a typed item. The type that has none, "SS" or "B"; empty when all have
// one. A number becomes a JSON number with its text as it is.
std::string_view append_plain_item(api::json::Value item, std::string& out);

}  // namespace magneto::server::formats
