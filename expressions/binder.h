#pragma once

#include "expressions/placeholders.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// Steps in one document path ("Quotas in Amazon DynamoDB", nested attributes).
inline constexpr std::size_t kMaxPathSteps = 32;

// Puts names in the place of a path's '#' placeholders. Throws ExpressionError: an undefined
// placeholder, or too many steps.
void bind_path(SyntaxTree& tree, const Node& path, Placeholders& placeholders);

// Refuses a path with too many steps.
void check_path_steps(std::size_t steps);

// Puts the value in the place of a ':' placeholder. Throws ExpressionError when it is undefined.
void bind_value(SyntaxTree& tree, NodeIndex value, Placeholders& placeholders);

}  // namespace magneto::expressions
