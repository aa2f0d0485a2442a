#include "storage/model/number.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cstring>
#include <limits>

#include "storage/model/number_bytes.h"

namespace magneto::storage {

namespace {

using number_bytes::kExponentBias;
using number_bytes::kMaxPairs;
using number_bytes::kNegativeEnd;

constexpr int kMaxDigits = 38;
constexpr int kMaxTop = 125;  // power of ten of the first digit
constexpr int kMinTop = -130;
constexpr std::int64_t kExponentClamp = std::int64_t{1} << 40;  // greater than any length of text

using Wide = boost::multiprecision::int256_t;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A parsed number. `digits` has no zero at either end; `top` is the power of ten of the first.
struct Decimal {
  bool negative = false;
  bool too_many_digits = false;
  int count = 0;
  std::int64_t top = -1;
  std::array<std::uint8_t, kMaxDigits> digits;
};

// A number's base-100 digits; zero has no pairs.
struct Pairs {
  bool negative = false;
  int exponent = 0;  // power of 100 of the first pair
  int count = 0;
  std::array<std::uint8_t, kMaxPairs> pairs;
};

Pairs decode(std::string_view bytes) {
  Pairs result;
  if (bytes.size() < 2) return result;
  const auto first = static_cast<std::uint8_t>(bytes.front());
  result.negative = first < 0x80;
  bytes.remove_prefix(1);
  if (result.negative && bytes.back() == kNegativeEnd) bytes.remove_suffix(1);
  result.count = static_cast<int>(std::min<std::size_t>(bytes.size(), kMaxPairs));
  if (result.negative) {
    result.exponent = (first ^ 0xFF) - kExponentBias;
    for (int i = 0; i < result.count; ++i) {
      result.pairs[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(
          101 - static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i)]));
    }
  } else {
    result.exponent = first - kExponentBias;
    for (int i = 0; i < result.count; ++i) {
      result.pairs[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(
          static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i)]) - 1);
    }
  }
  return result;
}

// Writes the bytes of a non-zero number whose `top` is in range; returns their number.
std::size_t encode(const Decimal& decimal, std::array<char, Number::kMaxBytes>& bytes) {
  const int top = static_cast<int>(decimal.top);
  const int exponent = top >= 0 ? top / 2 : -((1 - top) / 2);  // floor
  const int first = kExponentBias + exponent;
  std::size_t size = 0;
  bytes[size++] = static_cast<char>(decimal.negative ? 0xFF - first : first);
  // With an even power the first digit is alone in its pair.
  int i = (top % 2 == 0) ? -1 : 0;
  for (; i < decimal.count; i += 2) {
    const int high = i < 0 ? 0 : decimal.digits[static_cast<std::size_t>(i)];
    const int low = i + 1 < decimal.count ? decimal.digits[static_cast<std::size_t>(i + 1)] : 0;
    const int pair = 10 * high + low;
    bytes[size++] = static_cast<char>(decimal.negative ? 101 - pair : pair + 1);
  }
  if (decimal.negative && size <= kMaxPairs) bytes[size++] = kNegativeEnd;
  return size;
}

// Reads sign, digits and point from the front of `text`; false if there are no digits.
bool read_mantissa(const char*& at, const char* end, Decimal& decimal) {
  if (at != end && (*at == '+' || *at == '-')) {
    decimal.negative = *at++ == '-';
  }
  bool any = false;
  bool after_point = false;
  std::size_t zeros = 0;  // not yet known to precede another significant digit
  for (; at != end; ++at) {
    const char c = *at;
    if (c == '.') {
      if (after_point) return false;
      after_point = true;
      continue;
    }
    if (!is_digit(c)) break;
    any = true;
    if (decimal.count == 0 && c == '0') {
      decimal.top -= after_point ? 1 : 0;
      continue;
    }
    decimal.top += after_point ? 0 : 1;
    if (c == '0') {
      ++zeros;
      continue;
    }
    if (zeros + static_cast<std::size_t>(decimal.count) >= kMaxDigits) {
      decimal.too_many_digits = true;
      continue;
    }
    for (; zeros > 0; --zeros) decimal.digits[static_cast<std::size_t>(decimal.count++)] = 0;
    decimal.digits[static_cast<std::size_t>(decimal.count++)] = static_cast<std::uint8_t>(c - '0');
  }
  return any;
}

enum class ExponentResult : std::uint8_t { kRead, kNotAnExponent, kPast64Bits };

// Reads the digits after e or E to the end of the text.
ExponentResult read_exponent(const char* at, const char* end, std::int64_t& exponent) {
  bool negative = false;
  if (at != end && (*at == '+' || *at == '-')) negative = *at++ == '-';
  if (at == end) return ExponentResult::kNotAnExponent;
  const std::uint64_t limit =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
  std::uint64_t magnitude = 0;
  bool past = false;
  for (; at != end; ++at) {
    if (!is_digit(*at)) return ExponentResult::kNotAnExponent;
    const auto digit = static_cast<std::uint64_t>(*at - '0');
    if (past || magnitude > (limit - digit) / 10) {
      past = true;
      continue;
    }
    magnitude = magnitude * 10 + digit;
  }
  if (past) return ExponentResult::kPast64Bits;
  const auto clamped =
      static_cast<std::int64_t>(std::min(magnitude, static_cast<std::uint64_t>(kExponentClamp)));
  exponent = negative ? -clamped : clamped;
  return ExponentResult::kRead;
}

// A number as an integer coefficient times a power of ten.
struct Scaled {
  Wide coefficient = 0;
  int exponent = 0;  // of the last digit, even
  int top = 0;       // of the first pair's upper digit
};

Scaled scale(const Pairs& number) {
  Scaled result;
  for (int i = 0; i < number.count; ++i) {
    result.coefficient *= 100;
    result.coefficient += number.pairs[static_cast<std::size_t>(i)];
  }
  if (number.negative) result.coefficient = -result.coefficient;
  result.exponent = 2 * (number.exponent - number.count + 1);
  result.top = 2 * number.exponent + 1;
  return result;
}

Wide power_of_ten(int exponent) {
  Wide result = 1;
  for (int i = 0; i < exponent; ++i) result *= 10;
  return result;
}

}  // namespace

std::optional<Number> Number::parse(std::string_view text, NumberError& error) {
  const char* at = text.data();
  const char* const end = at + text.size();
  Decimal decimal;
  std::int64_t exponent = 0;
  if (!read_mantissa(at, end, decimal)) {
    error = NumberError::kNotANumber;
    return std::nullopt;
  }
  if (at != end) {
    const bool marked = *at == 'e' || *at == 'E';
    const ExponentResult read =
        marked ? read_exponent(at + 1, end, exponent) : ExponentResult::kNotAnExponent;
    if (read != ExponentResult::kRead) {
      error = read == ExponentResult::kPast64Bits ? NumberError::kExponentTooLarge
                                                  : NumberError::kNotANumber;
      return std::nullopt;
    }
  }
  // Zero is range-checked by the exponent it is written with (captured facts, "Exponents and
  // range").
  const bool zero = decimal.count == 0;
  const std::int64_t top = zero ? exponent : decimal.top + exponent;
  if (top > kMaxTop || top < kMinTop || decimal.too_many_digits) {
    error = top > kMaxTop   ? NumberError::kOverflow
            : top < kMinTop ? NumberError::kUnderflow
                            : NumberError::kTooManyDigits;
    return std::nullopt;
  }
  Number number;
  if (zero) return number;
  decimal.top = top;
  number.size_ = static_cast<std::uint8_t>(encode(decimal, number.bytes_));
  return number;
}

Number Number::from_bytes(std::string_view bytes) {
  Number number;
  const std::size_t size = std::min(bytes.size(), kMaxBytes);
  if (size == 0) return number;
  std::memcpy(number.bytes_.data(), bytes.data(), size);
  number.size_ = static_cast<std::uint8_t>(size);
  return number;
}

Number Number::from_integer(std::int64_t value) {
  Number number;
  if (value == 0) return number;
  std::uint64_t rest =
      value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
  std::array<std::uint8_t, 20> reversed;
  int count = 0;
  for (; rest > 0; rest /= 10) {
    reversed[static_cast<std::size_t>(count++)] = static_cast<std::uint8_t>(rest % 10);
  }
  Decimal decimal;
  decimal.negative = value < 0;
  decimal.top = count - 1;
  int zeros = 0;
  while (reversed[static_cast<std::size_t>(zeros)] == 0) ++zeros;
  for (int i = count - 1; i >= zeros; --i) {
    decimal.digits[static_cast<std::size_t>(decimal.count++)] =
        reversed[static_cast<std::size_t>(i)];
  }
  number.size_ = static_cast<std::uint8_t>(encode(decimal, number.bytes_));
  return number;
}

void Number::append_decimal(std::string& out) const { storage::append_decimal(bytes(), out); }

std::string Number::to_string() const {
  std::string out;
  append_decimal(out);
  return out;
}

namespace {

// Whether there are digits after the point.
bool has_fraction(const Pairs& number) { return number.exponent < number.count - 1; }

// The digits before the point, with the sign, if they fit.
std::optional<std::int64_t> integer_part(const Pairs& number) {
  if (number.exponent > 9) return std::nullopt;
  std::uint64_t magnitude = 0;
  for (int i = 0; i <= number.exponent; ++i) {
    const std::uint64_t pair = i < number.count ? number.pairs[static_cast<std::size_t>(i)] : 0;
    if (__builtin_mul_overflow(magnitude, std::uint64_t{100}, &magnitude) ||
        __builtin_add_overflow(magnitude, pair, &magnitude)) {
      return std::nullopt;
    }
  }
  const auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > max + (number.negative ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(number.negative ? ~magnitude + 1 : magnitude);
}

}  // namespace

std::optional<std::int64_t> Number::to_integer() const {
  const Pairs number = decode(bytes());
  if (number.count == 0) return 0;
  return has_fraction(number) ? std::nullopt : integer_part(number);
}

std::optional<std::int64_t> Number::rounded_up() const {
  const Pairs number = decode(bytes());
  if (number.count == 0) return 0;
  const std::optional<std::int64_t> part = integer_part(number);
  if (!part || number.negative || !has_fraction(number)) return part;
  if (*part == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return *part + 1;
}

std::optional<Number> Number::sum(const Number& a, const Number& b, bool subtract,
                                  NumberError& error) {
  const std::optional<std::int64_t> small_a = a.to_integer();
  const std::optional<std::int64_t> small_b = small_a ? b.to_integer() : std::nullopt;
  std::int64_t small = 0;
  if (small_b && !(subtract ? __builtin_sub_overflow(*small_a, *small_b, &small)
                            : __builtin_add_overflow(*small_a, *small_b, &small))) {
    return from_integer(small);
  }

  Pairs pairs_b = decode(b.bytes());
  if (pairs_b.count == 0) return a;
  if (subtract) pairs_b.negative = !pairs_b.negative;
  Scaled x = scale(decode(a.bytes()));
  Scaled y = scale(pairs_b);
  if (x.coefficient == 0) {
    x.exponent = y.exponent;
    x.top = y.top;
  }
  const int exponent = std::min(x.exponent, y.exponent);
  // A sum over this many places always has more than 38 digits.
  if (std::max(x.top, y.top) - exponent > kMaxDigits + 6) {
    error = NumberError::kOverflow;
    return std::nullopt;
  }
  Wide total = x.coefficient * power_of_ten(x.exponent - exponent) +
               y.coefficient * power_of_ten(y.exponent - exponent);
  if (total == 0) return Number();

  Decimal decimal;
  decimal.negative = total < 0;
  if (decimal.negative) total = -total;
  std::array<std::uint8_t, 78> reversed;  // digits of 256 bits
  int count = 0;
  for (; total != 0; total /= 10) {
    reversed[static_cast<std::size_t>(count++)] = static_cast<std::uint8_t>(total % 10);
  }
  int zeros = 0;
  while (reversed[static_cast<std::size_t>(zeros)] == 0) ++zeros;
  decimal.top = exponent + count - 1;
  if (decimal.top > kMaxTop || decimal.top < kMinTop || count - zeros > kMaxDigits) {
    error = decimal.top < kMinTop ? NumberError::kUnderflow : NumberError::kOverflow;
    return std::nullopt;
  }
  for (int i = count - 1; i >= zeros; --i) {
    decimal.digits[static_cast<std::size_t>(decimal.count++)] =
        reversed[static_cast<std::size_t>(i)];
  }
  Number number;
  number.size_ = static_cast<std::uint8_t>(encode(decimal, number.bytes_));
  return number;
}

std::optional<Number> Number::add(const Number& a, const Number& b, NumberError& error) {
  return sum(a, b, false, error);
}

std::optional<Number> Number::subtract(const Number& a, const Number& b, NumberError& error) {
  return sum(a, b, true, error);
}

bool are_number_bytes(std::string_view bytes) {
  if (bytes.size() < 2) return bytes.size() == 1 && bytes.front() == number_bytes::kZero;
  if (bytes.size() > Number::kMaxBytes) return false;
  const bool negative = static_cast<std::uint8_t>(bytes.front()) < 0x80;
  const bool ended = negative && bytes.back() == kNegativeEnd;
  const Pairs number = decode(bytes);
  if (number.count == 0 || (negative && ended != (number.count < kMaxPairs))) return false;
  const auto begin = number.pairs.begin();
  const auto end = begin + number.count;
  if (*begin == 0 || *(end - 1) == 0) return false;
  if (std::any_of(begin, end, [](std::uint8_t pair) { return pair > 99; })) return false;
  return number.count < kMaxPairs || (*begin < 10 && *(end - 1) % 10 == 0);
}

std::size_t number_size(std::string_view number_bytes) {
  const Pairs number = decode(number_bytes);
  if (number.count == 0) return 1;
  // Pairs are counted from the first significant digit on either side of the point, not from the
  // point. A lone digit at both ends of a whole number, or of a fraction, makes one pair less.
  const bool straddles_point = number.exponent >= 0 && number.exponent < number.count - 1;
  const bool lone_digits = number.pairs.front() < 10 &&
                           number.pairs[static_cast<std::size_t>(number.count - 1)] % 10 == 0;
  const int size =
      1 + number.count - (!straddles_point && lone_digits ? 1 : 0) + (number.negative ? 1 : 0);
  return std::min(static_cast<std::size_t>(size), Number::kMaxBytes);
}

std::size_t Number::stored_size() const { return number_size(bytes()); }

std::optional<ShortDecimal> short_decimal(std::string_view number_bytes) {
  ShortDecimal decimal;
  if (number_bytes.size() < 2) return decimal;
  const auto first = static_cast<std::uint8_t>(number_bytes.front());
  decimal.negative = first < 0x80;
  number_bytes.remove_prefix(1);
  if (decimal.negative && number_bytes.back() == kNegativeEnd) number_bytes.remove_suffix(1);
  if (number_bytes.size() > ShortDecimal::kMaxDigits / 2) return std::nullopt;
  // A pair is the byte - 1, or 101 - the byte.
  const std::uint8_t turn = decimal.negative ? 0xFF : 0;
  const auto shift = static_cast<std::uint8_t>(decimal.negative ? 102 : 0xFF);
  for (const char byte : number_bytes) {
    const auto pair = static_cast<std::uint8_t>((static_cast<std::uint8_t>(byte) ^ turn) + shift);
    decimal.digits = decimal.digits * 100 + pair;
  }
  const int exponent = (first ^ turn) - kExponentBias;
  decimal.exponent = 2 * (exponent - static_cast<int>(number_bytes.size()) + 1);
  return decimal;
}

}  // namespace magneto::storage
