// A filter pattern of an event source mapping and, on the next line, a record to match. A pattern
// matches if one of two equal alternatives matches, and if an element of a list in the record
// matches.
#include "server/feeds/event_sources/filter_pattern.h"

#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

std::optional<server::feeds::FilterPattern> read_pattern(const std::string& text) {
  try {
    return server::feeds::FilterPattern(text);
  } catch (const server::feeds::FilterPatternError& error) {
    require(*error.what() != '\0', "a refusal says why");
    return std::nullopt;
  }
}

bool matches(const server::feeds::FilterPattern& pattern, std::string event) {
  api::json::Document document;
  const auto value = document.parse(event);
  return value && pattern.matches(*value);
}

}  // namespace

void fuzz_filter_pattern(std::string_view input) {
  const std::size_t line = input.find('\n');
  const std::string text(input.substr(0, line));
  const std::string event(line == input.npos ? std::string_view() : input.substr(line + 1));
  const auto pattern = read_pattern(text);
  if (!pattern) return;
  const bool is_taken = matches(*pattern, event);
  if (const auto either = read_pattern("{\"$or\":[" + text + "," + text + "]}")) {
    require(matches(*either, event) == is_taken, "an alternative of equal patterns is the pattern");
  }
  // A list at the top is no record, but one below a member is looked through.
  api::json::Document document;
  std::string parsed = event;
  std::string wrapped = "{\"in\":" + event + "}";
  if (!document.parse(parsed) || !document.parse(wrapped) || event.find('[') != event.npos) return;
  if (const auto below = read_pattern("{\"in\":" + text + "}")) {
    require(matches(*below, wrapped) == is_taken,
            "a pattern below a member is the pattern of that member");
  }
}

}  // namespace magneto::fuzz
