#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::server::system {

// Appends a character. `code_point` is at most U+10FFFF and not a surrogate.
void append_utf8(std::uint32_t code_point, std::string& text);

// Replaces each byte that belongs to no character by U+FFFD. Header fields and queries of clients
// may contain any bytes, but JSON cannot.
std::string to_valid_utf8(std::string_view bytes);

// Returns the first whole characters of `text`, which is UTF-8: at most `most` bytes.
std::string_view first_characters(std::string_view text, std::size_t most);

// Makes foreign text safe for answers, lines of the log and records: like to_valid_utf8(), but with
// a blank for each control character. The result has at most `most` bytes and ends with a whole
// character.
std::string sanitize_for_log(std::string_view text, std::size_t most);

}  // namespace magneto::server::system
