#pragma once

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

// Throws ExpressionError when one of the bound paths is inside another or equal to it ("overlap"),
// and else when two use one value as a list and as a map ("conflict"). The message names the two in
// the order of `paths`.
void check_paths(std::span<const PathView> paths);

}  // namespace magneto::expressions
