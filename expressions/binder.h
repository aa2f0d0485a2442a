#pragma once

#include "expressions/placeholders.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The maximum number of steps in one document path ("Quotas in Amazon DynamoDB", nested
// attributes).
inline constexpr std::size_t kMaxPathSteps = 32;

// Replaces the '#' placeholders in a path by names. Throws ExpressionError for an undefined
// placeholder or too many steps.
void bind_path(SyntaxTree& tree, const Node& path, Placeholders& placeholders);

// Refuses a path with too many steps.
void check_path_steps(std::size_t steps);

// Replaces a ':' placeholder by its value. Throws ExpressionError if it is undefined.
void bind_value(SyntaxTree& tree, NodeIndex value, Placeholders& placeholders);

}  // namespace magneto::expressions
