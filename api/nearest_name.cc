#include "api/nearest_name.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <utility>

namespace magneto::api {
namespace {

// Shorter prefixes match too many names.
constexpr std::size_t kShortestBeginning = 3;

using DistanceRow = std::array<std::size_t, kLongestComparedName + 1>;

// The Damerau-Levenshtein distance in which no substring is edited twice, for names of at most
// kLongestComparedName bytes.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  DistanceRow two_before{};
  DistanceRow before{};
  DistanceRow row{};
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    two_before = std::exchange(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t changed = from[i - 1] == to[j - 1] ? 0 : 1;
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + changed});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row[to.size()];
}

std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = absl::ascii_tolower(c);
  return lower;
}

std::size_t name_distance(std::string_view given, std::string_view known) {
  const std::size_t distance = edit_distance(given, known);
  const bool begins = given.size() >= kShortestBeginning && known.starts_with(given);
  return begins ? std::min<std::size_t>(distance, 1) : distance;
}

}  // namespace

std::string_view nearest_name(std::string_view given, std::span<const std::string> known) {
  if (given.empty() || given.size() > kLongestComparedName) return {};
  const std::string wanted = lower_case(given);
  std::string_view nearest;
  std::size_t least = 2 + given.size() / 4;  // with so many changes, it is a different name
  for (const std::string& name : known) {
    if (name.size() > kLongestComparedName) continue;
    const std::size_t distance = name_distance(wanted, lower_case(name));
    if (distance >= least || distance >= name.size()) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

}  // namespace magneto::api
