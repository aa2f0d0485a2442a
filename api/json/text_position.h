#pragma once

#include <cstddef>
#include <string_view>

namespace magneto::api::json {

// A place in a text as Rust's serde tells it: columns are bytes, counted from 1.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 0;
};

// The last byte of `document`, an object that was parsed: where a missing member is noticed.
TextPosition end_of(std::string_view document);
// The last byte of the value of its first member of that name, or the one before the value; the end
// of the document where it has none. Both take as long as the text is.
TextPosition end_of_member(std::string_view document, std::string_view name);
TextPosition before_member(std::string_view document, std::string_view name);

}  // namespace magneto::api::json
