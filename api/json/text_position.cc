#include "api/json/text_position.h"

#include <algorithm>

namespace magneto::api::json {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kBetweenTokens = " \t\r\n,:]}";

// The position after the string that begins at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// The position after the token that begins at `at`.
std::size_t skip_token(std::string_view text, std::size_t at) {
  if (text[at] == '"') return skip_string(text, at);
  if (text[at] == '{' || text[at] == '[') return at + 1;
  return std::min(text.find_first_of(kBetweenTokens, at), text.size());
}

TextPosition place_before(std::string_view text, std::size_t end) {
  const std::string_view passed = text.substr(0, end);
  const std::size_t line_start = passed.rfind('\n') + 1;  // 0 if there is none
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(passed, '\n')),
          .column = passed.size() - line_start};
}

}  // namespace

TextPosition end_of(std::string_view document) {
  return place_before(document, document.find_last_not_of(kSpace) + 1);
}

TextPosition place_of_token(std::string_view document, std::size_t number) {
  std::size_t at = document.find_first_not_of(kBetweenTokens);
  while (at < document.size() && number > 0) {
    --number;
    at = document.find_first_not_of(kBetweenTokens, skip_token(document, at));
  }
  if (at >= document.size()) return end_of(document);
  const bool is_bracket = document[at] == '{' || document[at] == '[';
  return place_before(document, is_bracket ? at : skip_token(document, at));
}

}  // namespace magneto::api::json
