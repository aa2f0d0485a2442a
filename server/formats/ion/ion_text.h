#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/formats/ion/ion_item.h"

namespace magneto::server::formats {

// Amazon Ion in text (Amazon Ion 1.0 Specification), as far as DynamoDB's exports and imports use
// it. An item may not contain S-expressions, timestamps, clobs, symbols as values, non-decimal
// numbers, or symbols by number ($10).

// The first thing in a text.
struct IonTextStep {
  enum class Kind : std::uint8_t {
    kRecord,  // one value, which the item took or refused
    kEnd,     // only blanks, comments and version markers
    kMore,    // depends on the bytes after the text
    kBroken,  // not Ion, or not supported here: the item has the reason
  };
  Kind kind = Kind::kEnd;
  std::size_t end = 0;     // kRecord, kEnd: the position after it
  std::size_t begin = 0;   // kRecord, kBroken: the start of the value
  bool is_marked = false;  // kBroken: "$ion_1_0" precedes it
};

// `is_last`: the text ends the file.
IonTextStep read_ion_text(std::string_view text, bool is_last, IonItem& item);

}  // namespace magneto::server::formats
