#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::server::system {

// A longer line is cut, and ends in "...".
inline constexpr std::size_t kLongestTerminalLine = 16 << 10;  // bytes

// What a command prints, each line as sanitize_for_log(): texts of an endpoint, of a file or of a name that
// somebody else chose are in it, and a terminal obeys control characters.
std::string terminal_text(std::string_view text);

// A sentence on standard error about what went wrong: "magneto: <sentence>". Of several lines, the
// first begins so.
void print_problem(std::string_view sentence);

}  // namespace magneto::server::system
