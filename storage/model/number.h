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

// A DynamoDB number: up to 38 significant decimal digits, exact, magnitude 1E-130 to 9.99...E+125,
// and zero. Stored in DynamoDB's own base-100 key bytes (described in number.cc): at most 21 bytes,
// one representation for each value, and memcmp order is numeric order. A trivially copyable value;
// every function is thread-safe.
class Number {
 public:
  static constexpr std::size_t kMaxBytes = 21;

  Number() = default;  // zero

  // Parses a decimal literal as DynamoDB accepts it: optional sign, digits with an optional
  // point, optional exponent; no spaces. Leading and trailing zeros do not count as digits.
  // On failure returns nullopt and sets `error`.
  static std::optional<Number> parse(std::string_view text, NumberError& error);

  // `bytes` must be the result of bytes() of a Number.
  static Number from_bytes(std::string_view bytes);
  static Number from_integer(std::int64_t value);

  std::string_view bytes() const { return {bytes_.data(), size_}; }

  // Plain decimal notation without exponent, as DynamoDB returns it ("100", "0.001", "-42.5").
  void append_decimal(std::string& out) const;
  std::string to_string() const;

  // The value as a 64-bit integer if it is one and fits.
  std::optional<std::int64_t> to_integer() const;
  // The smallest 64-bit integer that is not below the value; nullopt if there is none, or if the
  // value is below all of them.
  std::optional<std::int64_t> rounded_up() const;

  // Exact arithmetic. If the result does not fit, returns nullopt and sets `error`: kUnderflow
  // below the range, otherwise kOverflow. kOverflow also covers an exact result of more than 38
  // significant digits, such as 1E50 + 1. AWS's answer to that is unknown; Magneto refuses rather
  // than rounds.
  static std::optional<Number> add(const Number& a, const Number& b, NumberError& error);
  static std::optional<Number> subtract(const Number& a, const Number& b, NumberError& error);

  // Bytes that this number counts towards the item size: "1 + ceil(integer digits / 2) +
  // ceil(fraction digits / 2) + 1 if negative"; zero counts 1 (captured facts, "Number byte size").
  // At most kMaxBytes, a limit that matters only for a negative number of 38 digits around the
  // point.
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

// How Java's BigDecimal reads a literal's exponent; parts of DynamoDB read literals with it. The
// exponent and the scale (digits after the point minus the exponent) must fit 32 bits. The place of
// the first digit (precision minus scale) is also computed in 32 bits, in which 1e2147483647 wraps
// around and looks tiny (captured facts, "Parameter numbers").
enum class JavaExponent : std::uint8_t { kFits, kUnreadable, kWraps };
JavaExponent java_exponent(std::string_view literal);
// The scale of a literal whose exponent fits: digits after the point minus the exponent.
std::int64_t java_scale(std::string_view literal);

// The longest decimal text: -0.<129 zeros and 38 digits>, with room for a last pair.
inline constexpr std::size_t kMaxDecimalBytes = 192;
// Writes the decimal text of number bytes to `at`, which has room for kMaxDecimalBytes. Returns the
// end of the text.
char* write_decimal(std::string_view number_bytes, char* at);
// Decimal rendering directly from number bytes; the response path uses it without a Number.
void append_decimal(std::string_view number_bytes, std::string& out);

// The number as digits * 10^exponent. Most numbers have few enough digits for 64 bits.
struct ShortDecimal {
  static constexpr int kMaxDigits = 18;
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;
};
// nullopt if the number may have more digits.
std::optional<ShortDecimal> short_decimal(std::string_view number_bytes);

// Whether `bytes` are valid bytes of a Number; for bytes that may be damaged.
bool are_number_bytes(std::string_view bytes);

// Number::stored_size() directly from number bytes.
std::size_t number_size(std::string_view number_bytes);

}  // namespace magneto::storage
