#include "server/system/plain_text.h"

#include "server/system/readable_text.h"

namespace magneto::server::system {
namespace {

// Of text that is UTF-8.
bool is_within_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string plain_text(std::string_view text, std::size_t most) {
  // The first characters of `text` take no fewer bytes than what comes out of them.
  std::string plain = readable_text(text.substr(0, most + 4));
  if (plain.size() > most) {
    while (most > 0 && is_within_character(plain[most])) --most;
    plain.resize(most);
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto byte = static_cast<unsigned char>(plain[i]);
    if (byte < ' ' || byte == 0x7F) plain[i] = ' ';
    // U+0080 to U+009F, which terminals obey too.
    if (byte == 0xC2 && static_cast<unsigned char>(plain[i + 1]) < 0xA0) plain.replace(i, 2, " ");
  }
  return plain;
}

}  // namespace magneto::server::system
