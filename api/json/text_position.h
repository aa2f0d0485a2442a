#pragma once

#include <cstddef>
#include <string_view>

namespace magneto::api::json {

// A position in a text as Rust's serde gives it: columns are bytes, counted from 1.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 0;
};

// The last byte of `document`, a parsed object: the position of an error about a missing member.
TextPosition end_of(std::string_view document);
// The position of an error about a token: its last byte, or the byte before the bracket that begins
// an object or an array. Tokens are names, scalars and opening brackets, counted from 0. The end of
// the document if it has fewer. Takes linear time in the text.
TextPosition place_of_token(std::string_view document, std::size_t number);

}  // namespace magneto::api::json
