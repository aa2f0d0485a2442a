#include <array>
#include <cstdint>
#include <cstring>

#include "storage/model/number.h"
#include "storage/model/number_bytes.h"

namespace magneto::storage {
namespace {

// Writes a pair as two digits: any two if it is above 99, as in damaged bytes.
char* write_pair(std::uint8_t pair, char* at) {
  static constexpr auto kPairs = [] {
    std::array<char, 512> digits{};
    for (std::size_t i = 0; i < 256; ++i) {
      digits[2 * i] = static_cast<char>('0' + i / 10 % 10);
      digits[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return digits;
  }();
  std::memcpy(at, kPairs.data() + std::size_t{2} * pair, 2);
  return at + 2;
}

}  // namespace

char* write_decimal(std::string_view number_bytes, char* at) {
  if (number_bytes.size() < 2) {
    *at = '0';
    return at + 1;
  }
  const auto first = static_cast<std::uint8_t>(number_bytes.front());
  const bool negative = first < 0x80;
  if (negative) *at++ = '-';
  std::string_view digits = number_bytes.substr(1);
  if (negative && digits.back() == number_bytes::kNegativeEnd) digits.remove_suffix(1);
  const int exponent = (negative ? first ^ 0xFF : first) - number_bytes::kExponentBias;
  const int count = static_cast<int>(digits.size());
  const auto pair_at = [digits, negative](int i) {
    const int byte = static_cast<std::uint8_t>(digits[static_cast<std::size_t>(i)]);
    return static_cast<std::uint8_t>(negative ? 101 - byte : byte - 1);
  };
  int next = 0;
  if (exponent >= 0) {
    const int pair = pair_at(0);
    if (pair >= 10) *at++ = static_cast<char>('0' + pair / 10);
    *at++ = static_cast<char>('0' + pair % 10);
    for (next = 1; next <= exponent; ++next)
      at = write_pair(next < count ? pair_at(next) : std::uint8_t{0}, at);
  } else {
    *at++ = '0';
  }
  if (next < count) {
    *at++ = '.';
    for (int i = exponent + 1; i < 0; ++i) at = write_pair(0, at);
    for (; next < count; ++next) at = write_pair(pair_at(next), at);
    if (at[-1] == '0') --at;
  }
  return at;
}

void append_decimal(std::string_view number_bytes, std::string& out) {
  std::array<char, kMaxDecimalBytes> text;
  const char* const end = write_decimal(number_bytes, text.data());
  out.append(text.data(), static_cast<std::size_t>(end - text.data()));
}

}  // namespace magneto::storage
