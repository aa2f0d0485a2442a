#include "api/json/json_buffer.h"

#include <algorithm>
#include <cstdint>

namespace magneto::api::json {
namespace {

// JSON escapes bytes below 0x20, the quote and the backslash.
bool must_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Whether one of the eight bytes must be escaped.
bool any_must_escape(std::uint64_t word) {
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
bool any_must_escape(const std::array<unsigned char, 16>& bytes) {
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

// Copies a few bytes; false if one of them must be escaped.
template <typename Bytes>
bool copy_step(const char* from, char* to) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  std::memcpy(to, &bytes, sizeof(bytes));
  return !any_must_escape(bytes);
}

// Copies a text of at least one step; false if a byte must be escaped. The last step may copy bytes
// of the previous step again.
template <typename Bytes>
bool copy_in_steps(std::string_view text, char* to) {
  const std::size_t last = text.size() - sizeof(Bytes);
  for (std::size_t at = 0; at < last; at += sizeof(Bytes)) {
    if (!copy_step<Bytes>(text.data() + at, to + at)) return false;
  }
  return copy_step<Bytes>(text.data() + last, to + last);
}

// Copies four to eight bytes; false if one of them must be escaped.
bool copy_halves(std::string_view text, char* to) {
  using Half = std::uint32_t;
  const std::size_t second = text.size() - sizeof(Half);
  std::array<Half, 2> halves;
  std::memcpy(halves.data(), text.data(), sizeof(Half));
  std::memcpy(halves.data() + 1, text.data() + second, sizeof(Half));
  std::memcpy(to, halves.data(), sizeof(Half));
  std::memcpy(to + second, halves.data() + 1, sizeof(Half));
  return !any_must_escape(std::uint64_t{halves[0]} << 32 | halves[1]);
}

bool copy_plain(std::string_view text, char* to) {
  if (text.size() >= 16) return copy_in_steps<std::array<unsigned char, 16>>(text, to);
  if (text.size() >= 8) return copy_in_steps<std::uint64_t>(text, to);
  if (text.size() >= 4) return copy_halves(text, to);
  for (const char c : text) {
    if (must_escape(c)) return false;
    *to++ = c;
  }
  return true;
}

}  // namespace

void JsonBuffer::put_string(std::string_view text) {
  if (text.size() + 2 > kSize) return put_escaped(text);
  make_room(text.size() + 2);
  char* const to = text_.data() + size_;
  if (!copy_plain(text, to + 1)) return put_escaped(text);
  to[0] = '"';
  to[text.size() + 1] = '"';
  size_ += text.size() + 2;
}

void JsonBuffer::put_escaped(std::string_view text) {
  put('"');
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::string_view piece = text.substr(0, sizeof word);
    std::memcpy(&word, piece.data(), piece.size());
    if (piece.size() == sizeof word && !any_must_escape(word)) {
      make_room(sizeof word);
      std::memcpy(text_.data() + size_, &word, sizeof word);
      size_ += sizeof word;
    } else {
      for (const char c : piece) must_escape(c) ? put_escape(c) : put(c);
    }
    text.remove_prefix(piece.size());
  }
  put('"');
}

void JsonBuffer::put_escape(char c) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  put('\\');
  if (const std::size_t at = kNamed.find(c); at != std::string_view::npos) {
    put(kNames[at]);
    return;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  put("u00");
  put(kDigits[static_cast<unsigned char>(c) >> 4]);
  put(kDigits[static_cast<unsigned char>(c) & 15]);
}

void JsonBuffer::put_plain(std::string_view text) {
  if (text.size() > kSize) {
    out().append(text);
    return;
  }
  make_room(text.size());
  std::memcpy(text_.data() + size_, text.data(), text.size());
  size_ += text.size();
}

}  // namespace magneto::api::json
