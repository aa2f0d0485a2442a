#pragma once

#include <array>
#include <cstdint>
#include <cstring>

// Which bytes of a text have to be escaped in JSON: below 20 hex, the quote and the backslash.
namespace magneto::api::json {

inline bool must_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Whether one of the eight bytes must be escaped.
inline bool any_must_escape(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101ULL;
  constexpr std::uint64_t kHighs = 0x8080'8080'8080'8080ULL;
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  const std::uint64_t below = (word - kOnes * 0x20) & ~word;
  const std::uint64_t is_quote = (quote - kOnes) & ~quote;
  const std::uint64_t is_backslash = (backslash - kOnes) & ~backslash;
  return ((below | is_quote | is_backslash) & kHighs) != 0;
}

// Whether one of sixteen bytes must be escaped; a few vector instructions.
inline bool any_must_escape(const std::array<unsigned char, 16>& bytes) {
  std::array<unsigned char, 16> found;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    found[i] = static_cast<unsigned char>(static_cast<unsigned>(bytes[i] < 0x20) |
                                          static_cast<unsigned>(bytes[i] == '"') |
                                          static_cast<unsigned>(bytes[i] == '\\'));
  }
  std::array<std::uint64_t, 2> words;
  std::memcpy(words.data(), found.data(), sizeof(words));
  return (words[0] | words[1]) != 0;
}

}  // namespace magneto::api::json
