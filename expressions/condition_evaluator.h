#pragma once

#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// The value at a bound path, absent when any step is missing or of another type.
storage::AttributeView find(storage::ItemView item, std::span<const PathElement> path);

// Whether the bound condition at `node` holds for `item`. Comparisons with a missing attribute are
// false, except that it differs (<>) from everything. A condition that is an operand of another is
// a BOOL. Recursion is as deep as the tree.
bool holds(const SyntaxTree& tree, const Node& node, storage::ItemView item);

}  // namespace magneto::expressions
