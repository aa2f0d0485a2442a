#include "api/json/text_block.h"

#include <cstdint>

#include "api/json/escapes.h"
#include "api/json/json_writer.h"

namespace magneto::api::json {
namespace {

// Copies a few bytes; false when one of them must be escaped.
template <typename Bytes>
bool copy_step(const char* from, char* to) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  std::memcpy(to, &bytes, sizeof(bytes));
  return !any_must_escape(bytes);
}

// Copies a text of at least one step; false when a byte must be escaped. The last step may copy
// bytes of the step before again.
template <typename Bytes>
bool copy_in_steps(std::string_view text, char* to) {
  const std::size_t last = text.size() - sizeof(Bytes);
  for (std::size_t at = 0; at < last; at += sizeof(Bytes)) {
    if (!copy_step<Bytes>(text.data() + at, to + at)) return false;
  }
  return copy_step<Bytes>(text.data() + last, to + last);
}

// Copies four to eight bytes; false when one of them must be escaped.
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

void TextBlock::put_string(std::string_view text) {
  if (text.size() + 2 > kSize) return append_string(out(), text);
  make_room(text.size() + 2);
  char* const to = text_.data() + size_;
  if (!copy_plain(text, to + 1)) return append_string(out(), text);
  to[0] = '"';
  to[text.size() + 1] = '"';
  size_ += text.size() + 2;
}

void TextBlock::put_plain(std::string_view text) {
  if (text.size() > kSize) {
    out().append(text);
    return;
  }
  make_room(text.size());
  std::memcpy(text_.data() + size_, text.data(), text.size());
  size_ += text.size();
}

}  // namespace magneto::api::json
