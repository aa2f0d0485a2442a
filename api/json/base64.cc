#include "api/json/base64.h"

#include <array>
#include <cstdint>

namespace magneto::api::json {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kInvalid = 0xFF;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kInvalid);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> kValues = make_values();

// Two base64 characters for each 12-bit value.
constexpr std::array<std::array<char, 2>, 4096> make_pairs() {
  std::array<std::array<char, 2>, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kAlphabet[i >> 6], kAlphabet[i & 63]};
  return pairs;
}
constexpr std::array<std::array<char, 2>, 4096> kPairs = make_pairs();

std::uint32_t value_of(char c) { return kValues[static_cast<unsigned char>(c)]; }

std::size_t padding_of(std::string_view text) {
  if (text.empty() || text.back() != '=') return 0;
  return text[text.size() - 2] == '=' ? 2 : 1;
}

}  // namespace

bool is_base64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  const std::size_t padding = padding_of(text);
  const std::size_t digits = text.size() - padding;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < digits; ++i) seen |= value_of(text[i]);
  if (seen > 63) return false;
  if (padding == 0) return true;
  const std::uint32_t unused = padding == 1 ? 0x3 : 0xF;
  return (value_of(text[digits - 1]) & unused) == 0;
}

void decode_base64(std::string_view text, std::string& out) {
  const std::size_t start = out.size();
  const std::size_t padding = padding_of(text);
  out.resize(start + text.size() / 4 * 3);
  char* to = out.data() + start;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::uint32_t third = text[i + 2] == '=' ? 0 : value_of(text[i + 2]);
    const std::uint32_t fourth = text[i + 3] == '=' ? 0 : value_of(text[i + 3]);
    const std::uint32_t bits =
        value_of(text[i]) << 18 | value_of(text[i + 1]) << 12 | third << 6 | fourth;
    *to++ = static_cast<char>(bits >> 16);
    *to++ = static_cast<char>(bits >> 8);
    *to++ = static_cast<char>(bits);
  }
  out.resize(out.size() - padding);
}

void encode_base64(std::string_view bytes, std::string& out) {
  const std::size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4);
  char* to = out.data() + start;
  const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  const auto write = [&to](std::uint32_t bits) {
    const auto& high = kPairs[bits >> 12];
    const auto& low = kPairs[bits & 0xFFF];
    to[0] = high[0];
    to[1] = high[1];
    to[2] = low[0];
    to[3] = low[1];
    to += 4;
  };
  for (; left >= 3; left -= 3, from += 3) {
    write(static_cast<std::uint32_t>(from[0]) << 16 | static_cast<std::uint32_t>(from[1]) << 8 |
          from[2]);
  }
  if (left == 1) {
    write(static_cast<std::uint32_t>(from[0]) << 16);
    to[-1] = to[-2] = '=';
  } else if (left == 2) {
    write(static_cast<std::uint32_t>(from[0]) << 16 | static_cast<std::uint32_t>(from[1]) << 8);
    to[-1] = '=';
  }
}

}  // namespace magneto::api::json
