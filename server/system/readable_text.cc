#include "server/system/readable_text.h"

#include <cstddef>

namespace magneto::server::system {
namespace {

constexpr bool is_between(char c, unsigned char least, unsigned char greatest) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= least && byte <= greatest;
}

// How many bytes the character takes that the bytes begin with (RFC 3629, section 4); 0: none.
std::size_t character_bytes(std::string_view bytes) {
  const char first = bytes.front();
  if (is_between(first, 0, 0x7F)) return 1;
  const std::size_t size = is_between(first, 0xC2, 0xDF)   ? 2
                           : is_between(first, 0xE0, 0xEF) ? 3
                           : is_between(first, 0xF0, 0xF4) ? 4
                                                           : 0;
  if (size == 0 || bytes.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_between(bytes[i], 0x80, 0xBF)) return 0;
  }
  // What a shorter form could say, surrogates, and what is beyond U+10FFFF.
  const char second = bytes[1];
  if (first == '\xE0' && is_between(second, 0x80, 0x9F)) return 0;
  if (first == '\xED' && is_between(second, 0xA0, 0xBF)) return 0;
  if (first == '\xF0' && is_between(second, 0x80, 0x8F)) return 0;
  if (first == '\xF4' && is_between(second, 0x90, 0xBF)) return 0;
  return size;
}

}  // namespace

std::string readable_text(std::string_view bytes) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t size = character_bytes(bytes);
    text.append(size == 0 ? kReplacement : bytes.substr(0, size));
    bytes.remove_prefix(size == 0 ? 1 : size);
  }
  return text;
}

}  // namespace magneto::server::system
