#include "server/system/utf8.h"

namespace magneto::server::system {
namespace {

constexpr bool is_between(char c, unsigned char least, unsigned char greatest) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= least && byte <= greatest;
}

// The size in bytes of the first character (RFC 3629, section 4); 0 if there is none.
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
  // Overlong forms, surrogates, and code points above U+10FFFF.
  const char second = bytes[1];
  if (first == '\xE0' && is_between(second, 0x80, 0x9F)) return 0;
  if (first == '\xED' && is_between(second, 0xA0, 0xBF)) return 0;
  if (first == '\xF0' && is_between(second, 0x80, 0x8F)) return 0;
  if (first == '\xF4' && is_between(second, 0x90, 0xBF)) return 0;
  return size;
}

}  // namespace

void append_utf8(std::uint32_t code_point, std::string& text) {
  constexpr std::uint32_t kFirstBytes[] = {0, 0xC0, 0xE0, 0xF0};
  int left = code_point < 0x80 ? 0 : code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
  text += static_cast<char>(kFirstBytes[left] | (code_point >> (6 * left)));
  while (left-- > 0) text += static_cast<char>(0x80 | ((code_point >> (6 * left)) & 0x3F));
}

std::string to_valid_utf8(std::string_view bytes) {
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

std::string_view first_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && is_between(text[most], 0x80, 0xBF)) --most;
  return text.substr(0, most);
}

std::string sanitize_for_log(std::string_view text, std::size_t most) {
  // The first characters of `text` take no fewer bytes than their replacements.
  std::string line = to_valid_utf8(text.substr(0, most + 4));
  line.resize(first_characters(line, most).size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_between(line[i], 0, 0x1F) || line[i] == 0x7F) line[i] = ' ';
    // Terminals obey U+0080 to U+009F too.
    if (line[i] == '\xC2' && is_between(line[i + 1], 0x80, 0x9F)) line.replace(i, 2, " ");
  }
  return line;
}

}  // namespace magneto::server::system
