#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::server::system {

// A longer line is cut and ends in "...".
inline constexpr std::size_t kLongestTerminalLine = 16 << 10;  // bytes

// Makes the output of a command safe for a terminal: converts each line with sanitize_for_log().
// The output contains texts from endpoints, files and names of other users, and a terminal obeys
// control characters.
std::string terminal_text(std::string_view text);

// Prints a sentence about a problem on standard error: "magneto: <sentence>". Of several lines,
// only the first has the prefix.
void print_problem(std::string_view sentence);

}  // namespace magneto::server::system
