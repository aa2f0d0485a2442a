#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"
#include "storage/model/value_writer.h"

namespace magneto::testing {

// A decimal number in parts: sign, significant digits (empty for zero, without zeros at either
// end), and the power of ten of the first digit.
struct PlainNumber {
  bool negative = false;
  std::string digits;
  int top = 0;
};

// Random values for property tests. The same seed gives the same values on every machine.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  // At most `max_size` bytes. Short texts and the bytes 00 and FF are frequent.
  std::string bytes(std::size_t max_size);
  // At most `max_size` letters from a short alphabet.
  std::string text(std::size_t max_size);

  // Any number that DynamoDB can store; extreme values are frequent.
  PlainNumber plain_number();
  // One of the many spellings of a number.
  std::string spelling(const PlainNumber& number);
  storage::Number number();

  // An S, N or B value, as in a key, but possibly empty.
  storage::AttributeValue key_value(storage::AttributeType type);
  // A value of any type, at most `levels` levels deep.
  storage::AttributeValue value(std::size_t levels);
  void write_value(storage::ValueWriter& writer, std::size_t levels);
  // At most `max_attributes` attributes, with values at most `levels` levels deep.
  storage::Item item(std::size_t max_attributes, std::size_t levels);

 private:
  void write_set(storage::ValueWriter& writer);
  void write_members(storage::ValueWriter& writer, std::size_t count, std::size_t levels);

  std::mt19937_64 engine_;
};

}  // namespace magneto::testing
