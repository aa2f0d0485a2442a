#include "api/json/text_position.h"

#include <algorithm>
#include <optional>

namespace magneto::api::json {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// The position after the string that begins at `at`.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// The position after the value that begins at `at`.
std::size_t skip_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char byte = text[at];
    if (byte == '"') {
      at = skip_string(text, at);
    } else if (byte == '{' || byte == '[') {
      ++depth;
      ++at;
    } else if ((byte == '}' || byte == ']') && depth > 0) {
      --depth;
      ++at;
    } else if (depth > 0) {
      ++at;
      continue;
    } else {
      const std::size_t end = text.find_first_of(",}] \t\r\n", at);
      return end == std::string_view::npos ? text.size() : end;
    }
    if (depth == 0) return at;
  }
  return text.size();
}

TextPosition place_before(std::string_view text, std::size_t end) {
  const std::string_view passed = text.substr(0, end);
  const std::size_t line_start = passed.rfind('\n') + 1;  // 0 if there is none
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(passed, '\n')),
          .column = passed.size() - line_start};
}

// The range of a value in the text.
struct Extent {
  std::size_t start;
  std::size_t end;
};

std::optional<Extent> find_value(std::string_view document, std::string_view name) {
  std::size_t at = document.find('{');
  while (at < document.size()) {
    const std::size_t start = document.find('"', at);
    if (start == std::string_view::npos) break;
    const std::size_t end = skip_string(document, start);
    const std::size_t colon = document.find(':', end);
    const std::size_t value = document.find_first_not_of(kSpace, colon + 1);
    if (colon == std::string_view::npos || value == std::string_view::npos) break;
    at = skip_value(document, value);
    if (document.substr(start + 1, end - start - 2) == name) return Extent{value, at};
  }
  return std::nullopt;
}

}  // namespace

TextPosition end_of(std::string_view document) {
  return place_before(document, document.find_last_not_of(kSpace) + 1);
}

TextPosition end_of_member(std::string_view document, std::string_view name) {
  const std::optional<Extent> value = find_value(document, name);
  return value ? place_before(document, value->end) : end_of(document);
}

TextPosition before_member(std::string_view document, std::string_view name) {
  const std::optional<Extent> value = find_value(document, name);
  return value ? place_before(document, value->start) : end_of(document);
}

}  // namespace magneto::api::json
