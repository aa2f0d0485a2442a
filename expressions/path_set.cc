#include "expressions/path_set.h"

#include <algorithm>

#include "expressions/expression_error.h"

namespace magneto::expressions {

namespace {

enum class Relation : std::uint8_t { kApart, kOverlap, kConflict };

Relation relation(PathView a, PathView b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a[i].is_index() != b[i].is_index()) return Relation::kConflict;
    if (a[i] != b[i]) return Relation::kApart;
  }
  return Relation::kOverlap;
}

[[noreturn]] void throw_relation(PathView a, PathView b, const char* verb) {
  throw ExpressionError("Two document paths " + std::string(verb) +
                        " with each other; must remove or rewrite one of these paths; path one: " +
                        path_text(a) + ", path two: " + path_text(b));
}

void report(std::span<const PathView> paths, Relation wanted, const char* verb) {
  for (std::size_t second = 1; second < paths.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      if (relation(paths[first], paths[second]) == wanted) {
        throw_relation(paths[first], paths[second], verb);
      }
    }
  }
}

// Paths in relation become neighbours when sorted.
bool all_apart(std::span<const PathView> paths) {
  std::vector<PathView> sorted(paths.begin(), paths.end());
  std::sort(sorted.begin(), sorted.end(), path_less);
  return std::adjacent_find(sorted.begin(), sorted.end(), [](PathView a, PathView b) {
           return relation(a, b) != Relation::kApart;
         }) == sorted.end();
}

}  // namespace

std::string path_text(PathView path) {
  std::string text = "[";
  for (const PathElement& element : path) {
    if (text.size() > 1) text += ", ";
    if (element.is_index()) {
      text += '[' + std::to_string(element.index) + ']';
    } else {
      text += element.name;
    }
  }
  text += ']';
  return text;
}

bool same_path(PathView a, PathView b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool path_less(PathView a, PathView b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const PathElement& x, const PathElement& y) {
                                        if (x.is_index() != y.is_index()) return x.is_index();
                                        return x.is_index() ? x.index < y.index : x.name < y.name;
                                      });
}

void check_paths(std::span<const PathView> paths) {
  if (paths.size() < 2 || all_apart(paths)) return;
  report(paths, Relation::kOverlap, "overlap");
  report(paths, Relation::kConflict, "conflict");
}

}  // namespace magneto::expressions
