#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::server::system {

// What somebody else says, as it may be repeated in answers, in lines of the log and in records: UTF-8 without
// control characters, each replaced by a blank, and bytes that are no characters by U+FFFD. What is longer
// than `most` bytes ends with a whole character before.
std::string plain_text(std::string_view text, std::size_t most);

}  // namespace magneto::server::system
