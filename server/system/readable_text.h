#pragma once

#include <string>
#include <string_view>

namespace magneto::server::system {

// The text as valid UTF-8: each byte that has no part in a character is replaced by U+FFFD. What
// clients send in header fields and queries may be any bytes, and JSON cannot hold them.
std::string readable_text(std::string_view bytes);

}  // namespace magneto::server::system
