#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

// Copies text into JSON and looks for characters to escape in the same step, sixteen bytes at a
// time. JSON escapes bytes below 0x20, the quote and the backslash.
namespace magneto::api::json {

inline constexpr std::size_t kBytesOfAStep = 16;

// A vector of the compiler, which every processor has or the compiler replaces.
using StepBytes = unsigned char __attribute__((vector_size(kBytesOfAStep)));

// The bytes that must be escaped are all ones in the result, all others zero.
inline StepBytes bytes_to_escape(StepBytes bytes) {
  return reinterpret_cast<StepBytes>((bytes < 0x20) | (bytes == '"') | (bytes == '\\'));
}

inline bool has_any(StepBytes bytes) {
  std::array<std::uint64_t, 2> words;
  static_assert(sizeof words == sizeof bytes);
  std::memcpy(words.data(), &bytes, sizeof bytes);
  return (words[0] | words[1]) != 0;
}

inline StepBytes load_step(const char* from) {
  StepBytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

// Ones in the first `count` bytes; `count` is at most kBytesOfAStep.
inline StepBytes first_bytes(std::size_t count) {
  static constexpr auto kOnesThenZeros = [] {
    std::array<unsigned char, 2 * kBytesOfAStep> mask{};
    for (std::size_t i = 0; i < kBytesOfAStep; ++i) mask[i] = 0xFF;
    return mask;
  }();
  StepBytes mask;
  std::memcpy(&mask, kOnesThenZeros.data() + kBytesOfAStep - count, sizeof mask);
  return mask;
}

// The last step of copy_plain() where nothing behind the text can be read: copies at most
// kBytesOfAStep bytes, and returns those that must be escaped.
StepBytes copy_last_bytes(std::string_view text, char* to);

// Copies a text and returns the end of the copy. Adds the bytes that must be escaped to `found`; if
// there are any, the copy is of no use. `after` bytes behind the text can be read. `to` has room
// for kBytesOfAStep bytes more than the text: the last step also copies what is behind the text.
inline char* copy_plain(std::string_view text, std::size_t after, char* to, StepBytes& found) {
  const char* from = text.data();
  std::size_t left = text.size();
  for (; left > kBytesOfAStep; left -= kBytesOfAStep) {
    const StepBytes bytes = load_step(from);
    std::memcpy(to, &bytes, sizeof bytes);
    found |= bytes_to_escape(bytes);
    from += kBytesOfAStep;
    to += kBytesOfAStep;
  }
  if (left + after >= kBytesOfAStep) [[likely]] {
    const StepBytes last = load_step(from);
    std::memcpy(to, &last, sizeof last);
    found |= bytes_to_escape(last) & first_bytes(left);
    return to + left;
  }
  found |= copy_last_bytes({from, left}, to);
  return to + left;
}

// The number of bytes before the first that must be escaped.
std::size_t plain_length(std::string_view text);

}  // namespace magneto::api::json
