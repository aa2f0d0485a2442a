#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace magneto::api {

// A longer name is compared with nothing: the steps of a comparison grow with both lengths.
inline constexpr std::size_t kLongestComparedName = 64;  // bytes

// The name among `known` that somebody who wrote `given` probably meant: the one with the fewest
// changed, missing, added and swapped letters, in whatever case, and the first of several. A
// beginning of a name counts as near. Empty: none is near, or `given` is too long.
std::string_view nearest_name(std::string_view given, std::span<const std::string> known);

}  // namespace magneto::api
