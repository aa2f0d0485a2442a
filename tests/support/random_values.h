#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "storage/model/attribute_value.h"
#include "storage/model/value_writer.h"

namespace magneto::testing {

// A decimal number in the open: sign, significant digits (none for zero, no zero at either end) and
// the power of ten of the first one.
struct PlainNumber {
  bool negative = false;
  std::string digits;
  int top = 0;
};

// Random values for property tests; the same ones for the same seed on every machine.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  // Up to `max_size` bytes, short ones, 00 and FF being frequent.
  std::string bytes(std::size_t max_size);
  // Up to `max_size` letters from a short alphabet.
  std::string text(std::size_t max_size);

  // Any number DynamoDB can store, extremes being frequent.
  PlainNumber plain_number();
  // One of the many spellings of a number.
  std::string spelling(const PlainNumber& number);
  storage::Number number();

  // An S, N or B value, as a key may be (but possibly empty).
  storage::AttributeValue key_value(storage::AttributeType type);
  // A value of any type, up to `levels` levels deep.
  storage::AttributeValue value(std::size_t levels);
  void write_value(storage::ValueWriter& writer, std::size_t levels);
  // Up to `max_attributes` attributes with values up to `levels` levels deep.
  storage::Item item(std::size_t max_attributes, std::size_t levels);

 private:
  void write_set(storage::ValueWriter& writer);
  void write_members(storage::ValueWriter& writer, std::size_t count, std::size_t levels);

  std::mt19937_64 engine_;
};

}  // namespace magneto::testing
