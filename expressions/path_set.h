#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

using PathView = std::span<const PathElement>;

// A bound path as messages show it: "[a, [1], b]".
std::string path_text(PathView path);

bool same_path(PathView a, PathView b);

// The order of paths: indexes before names, indexes by number, names bytewise, a path before the
// paths inside it.
bool path_less(PathView a, PathView b);

// The number of leading entries for which `is_before` holds; it must hold for no entry after them.
// If there are few, examines only a few entries, however many follow.
template <typename Entry, typename IsBefore>
std::size_t count_front(std::span<const Entry> entries, IsBefore is_before) {
  std::size_t step = 1;
  while (step < entries.size() && is_before(entries[step - 1])) step *= 2;
  const std::size_t known = step / 2;
  const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(known);
  const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(step, entries.size()));
  return known + static_cast<std::size_t>(std::partition_point(begin, end, is_before) - begin);
}

// Throws ExpressionError if one of the bound paths equals another or lies inside it ("overlap");
// otherwise if two paths use one value as a list and as a map ("conflict"). The message names both
// in the order of `paths`.
void check_paths(std::span<const PathView> paths);

}  // namespace magneto::expressions
