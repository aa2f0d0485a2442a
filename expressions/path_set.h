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

// As messages show a bound path: "[a, [1], b]".
std::string path_text(PathView path);

bool same_path(PathView a, PathView b);

// Ascending: indexes before names, indexes by number, names bytewise, a path before those inside
// it.
bool path_less(PathView a, PathView b);

// The number of entries at the front for which `is_before` holds, which it does for no entry behind
// them. Looks at a few when they are few, however many follow.
template <typename Entry, typename IsBefore>
std::size_t count_front(std::span<const Entry> entries, IsBefore is_before) {
  std::size_t step = 1;
  while (step < entries.size() && is_before(entries[step - 1])) step *= 2;
  const std::size_t known = step / 2;
  const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(known);
  const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(step, entries.size()));
  return known + static_cast<std::size_t>(std::partition_point(begin, end, is_before) - begin);
}

// Throws ExpressionError when one of the bound paths is inside another or equal to it ("overlap"),
// and else when two use one value as a list and as a map ("conflict"). The message names the two in
// the order of `paths`.
void check_paths(std::span<const PathView> paths);

}  // namespace magneto::expressions
