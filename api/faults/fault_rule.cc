#include "api/faults/fault_rule.h"

namespace magneto::api {

bool matches_pattern(std::string_view text, std::string_view pattern) {
  const std::size_t first = pattern.find('*');
  if (first == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, first))) return false;
  text.remove_prefix(first);
  pattern.remove_prefix(first + 1);
  // Matches each part between two stars at its first occurrence, and the last part at the end.
  for (std::size_t star; (star = pattern.find('*')) != std::string_view::npos;) {
    const std::string_view part = pattern.substr(0, star);
    const std::size_t found = text.find(part);
    if (found == std::string_view::npos) return false;
    text.remove_prefix(found + part.size());
    pattern.remove_prefix(star + 1);
  }
  return text.ends_with(pattern);
}

}  // namespace magneto::api
