#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/formats/ion/ion_item.h"

namespace magneto::server::formats {

// Amazon Ion in text (Amazon Ion 1.0 Specification), as far as DynamoDB's exports and imports go:
// S-expressions, timestamps, clobs, symbols as values, other numbers than decimal ones and symbols by
// number ($10) are no part of an item.

// What a text begins with.
struct IonTextStep {
  enum class Kind : std::uint8_t {
    kRecord,  // one value, taken or refused by the item
    kEnd,     // nothing but blanks, comments and version markers
    kMore,    // it depends on what follows the text
    kBroken,  // what is no Ion, or nothing that is read here: the item says why
  };
  Kind kind = Kind::kEnd;
  std::size_t end = 0;     // kRecord, kEnd: behind it
  std::size_t begin = 0;   // kRecord, kBroken: where the value begins
  bool is_marked = false;  // kBroken: "$ion_1_0" stands before it
};

// `is_last`: nothing follows the text.
IonTextStep read_ion_text(std::string_view text, bool is_last, IonItem& item);

}  // namespace magneto::server::formats
