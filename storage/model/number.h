#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::storage {

enum class NumberError : std::uint8_t {
  kNotANumber,
  kOverflow,          // magnitude above 9.9999999999999999999999999999999999999E+125
  kUnderflow,         // magnitude below 1E-130
  kTooManyDigits,     // more than 38 significant digits
  kExponentTooLarge,  // exponent past 64 bits: AWS says "cannot be converted", not overflow
};

// A DynamoDB number: up to 38 significant decimal digits, exact, magnitude 1E-130 to
// 9.99...E+125, and zero. Held in DynamoDB's own base-100 key bytes (drawn in
// number.cc): at most 21 bytes, one representation for each value, and memcmp order is
// numeric order. A trivially copyable value; every function is thread-safe.
class Number {
 public:
  static constexpr std::size_t kMaxBytes = 21;

  Number() = default;  // zero

  // Parses a decimal literal as DynamoDB accepts it: optional sign, digits with an optional
  // point, optional exponent; no spaces. Leading and trailing zeros do not count as digits.
  // On failure returns nullopt and sets `error`.
  static std::optional<Number> parse(std::string_view text, NumberError& error);

  // `bytes` must have come from bytes() of some Number.
  static Number from_bytes(std::string_view bytes);
  static Number from_integer(std::int64_t value);

  std::string_view bytes() const { return {bytes_.data(), size_}; }

  // Plain decimal notation without exponent, as DynamoDB returns it ("100", "0.001", "-42.5").
  void append_decimal(std::string& out) const;
  std::string to_string() const;

  // The value as a 64-bit integer when it is one and fits.
  std::optional<std::int64_t> to_integer() const;
  // The least 64-bit integer that is not below the value, when there is one. What is below all of
  // them has none either.
  std::optional<std::int64_t> rounded_up() const;

  // Exact arithmetic. nullopt and `error` set when the result does not fit: kUnderflow below the
  // range, otherwise kOverflow, also for an exact result of more than 38 significant digits, as
  // 1E50 + 1 has. For that case no answer of AWS's is on record; Magneto refuses rather than round.
  static std::optional<Number> add(const Number& a, const Number& b, NumberError& error);
  static std::optional<Number> subtract(const Number& a, const Number& b, NumberError& error);

  // Bytes this number counts towards the item size: "1 + ceil(integer digits / 2) +
  // ceil(fraction digits / 2) + 1 if negative", zero being 1 (captured facts, "Number byte size").
  // At most kMaxBytes, which only a negative number of 38 digits around the point would exceed.
  std::size_t stored_size() const;

  friend bool operator==(const Number& a, const Number& b) { return a.bytes() == b.bytes(); }
  friend std::strong_ordering operator<=>(const Number& a, const Number& b) {
    return a.bytes().compare(b.bytes()) <=> 0;
  }

 private:
  static std::optional<Number> sum(const Number& a, const Number& b, bool subtract,
                                   NumberError& error);

  std::array<char, kMaxBytes> bytes_{static_cast<char>(0x80)};
  std::uint8_t size_ = 1;
};

// How Java's BigDecimal, which parts of DynamoDB read literals with, takes a literal's exponent.
// The exponent and the scale (digits behind the point less the exponent) must fit 32 bits; the
// place of the first digit (precision less scale) is computed in 32 bits too, where 1e2147483647
// wraps around and looks tiny (captured facts, "Parameter numbers").
enum class JavaExponent : std::uint8_t { kFits, kUnreadable, kWraps };
JavaExponent java_exponent(std::string_view literal);

// Decimal rendering straight from number bytes; the response path uses it without a Number.
void append_decimal(std::string_view number_bytes, std::string& out);

// The number as digits * 10^exponent, of which most numbers are few enough for 64 bits.
struct ShortDecimal {
  static constexpr int kMaxDigits = 18;
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;
};
// nullopt for one that may have more digits.
std::optional<ShortDecimal> short_decimal(std::string_view number_bytes);

// Whether `bytes` is what bytes() of some Number gives; for bytes that may be damaged.
bool are_number_bytes(std::string_view bytes);

// Number::stored_size straight from number bytes.
std::size_t number_size(std::string_view number_bytes);

}  // namespace magneto::storage
