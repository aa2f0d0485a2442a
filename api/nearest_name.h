#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace magneto::api {

// Longer names are not compared: the steps of a comparison grow with both lengths.
inline constexpr std::size_t kLongestComparedName = 64;  // bytes

// The name among `known` that the writer of `given` probably meant: the name with the fewest
// changed, missing, added and swapped letters, ignoring case; the first of several. A prefix of a
// name counts as near. Empty if none is near or `given` is too long.
std::string_view nearest_name(std::string_view given, std::span<const std::string> known);

}  // namespace magneto::api
