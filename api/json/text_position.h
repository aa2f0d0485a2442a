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
// The last byte of the value of the first member with that name, or the byte before the value; the
// end of the document if it has no such member. Both take linear time in the text.
TextPosition end_of_member(std::string_view document, std::string_view name);
TextPosition before_member(std::string_view document, std::string_view name);

}  // namespace magneto::api::json
