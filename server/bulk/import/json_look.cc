#include "server/bulk/import/json_look.h"

#include <algorithm>
#include <array>

#include "server/formats/messages.h"

namespace magneto::server::bulk {
namespace {

constexpr std::string_view kBetween = " \t\r\n";
constexpr std::array<std::string_view, 10> kTypeNames = {"\"S\"",    "\"N\"",   "\"B\"", "\"SS\"",
                                                         "\"NS\"",   "\"BS\"",  "\"M\"", "\"L\"",
                                                         "\"BOOL\"", "\"NULL\""};

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
  return text;
}

// Whether the text has the start of a typed attribute value, such as {"S".
bool begins_typed(std::string_view text) {
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::string_view name = without_blanks(text.substr(at + 1));
    if (std::ranges::any_of(kTypeNames, [&](auto type) { return name.starts_with(type); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string_view binary_look(std::string_view text) {
  constexpr std::string_view kLittleEndian = "\xFF\xFE";
  constexpr std::string_view kBigEndian = "\xFE\xFF";
  if (text.starts_with(kLittleEndian) || text.starts_with(kBigEndian)) {
    return formats::messages::kLooksLikeUtf16;
  }
  const bool has_zero = text.find('\0') != std::string_view::npos;
  return has_zero ? formats::messages::kLooksBinary : std::string_view();
}

std::string_view json_look(std::string_view start) {
  constexpr std::size_t kMostLookedAt = 4096;  // bytes
  start = start.substr(0, kMostLookedAt);
  if (const std::string_view look = binary_look(start); !look.empty()) return look;
  start = without_blanks(start);
  if (start.empty() || (start.front() != '{' && start.front() != '[')) return {};
  const std::string_view next = without_blanks(start.substr(1));
  const std::string_view wanted = start.front() == '{' ? "\"}" : "{]";
  if (next.empty() || wanted.find(next.front()) == std::string_view::npos) return {};
  return begins_typed(start) ? formats::messages::kLooksTyped : formats::messages::kLooksPlain;
}

}  // namespace magneto::server::bulk
