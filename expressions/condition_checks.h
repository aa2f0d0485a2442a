#pragma once

#include "expressions/placeholders.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// Binds a parsed condition and checks its operands. Proceeds from left to right, one comparison or
// function at a time. For each, the order is: undefined names and values, the number of operands,
// equal operands, operand types and bounds. Throws ExpressionError for the first problem.
void bind_condition(SyntaxTree& tree, Placeholders& placeholders);

// Makes the same checks on the tree of a statement's WHERE clause, which was built bound. Some of
// them have other words and another order there (captured facts 3, P22 to P26).
void check_condition(const SyntaxTree& tree);

}  // namespace magneto::expressions
