#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "server/formats/ion/ion_item.h"

namespace magneto::server::formats {

// Amazon Ion in binary (Amazon Ion 1.0 Specification), as far as DynamoDB's imports use it. Ion
// values that are not allowed in an item: see ion_text.h.

// The reason why the rest of a binary stream cannot be read: part of a sentence.
class IonDamage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads the values of a binary stream one after the other, with the stream's symbols.
class IonBinary {
 public:
  static constexpr std::string_view kVersionMarker{"\xE0\x01\x00\xEA", 4};
  static constexpr std::size_t kMaxSymbols = 200'000;
  static constexpr std::size_t kMaxSymbolBytes = 16 << 20;

  IonBinary() { reset(); }

  // The size of the value, or of the version marker, at the start of `text`. nullopt if `text` is
  // too short to determine it. Throws IonDamage.
  static std::optional<std::size_t> value_size(std::string_view text);

  // Reads one whole value, with the size from value_size(). Returns true for a record, which `item`
  // then holds or refuses; false for a version marker, padding or symbols. Throws IonDamage.
  bool read(std::string_view value, IonItem& item);

 private:
  class Value;

  void reset();
  void read_symbols(const Value& value);
  void add_symbol(std::string_view text);
  // nullopt if there is no such symbol.
  std::optional<std::string_view> symbol(std::uint64_t number) const;
  bool read_value(const Value& value, IonItem::Set set, IonItem& item) const;
  bool read_annotated(const Value& value, IonItem& item) const;
  bool read_struct(const Value& value, IonItem& item) const;
  bool read_list(const Value& value, IonItem::Set set, IonItem& item) const;

  std::vector<std::string> symbols_;  // by number
  std::size_t symbol_bytes_ = 0;
};

}  // namespace magneto::server::formats
