#pragma once

#include <vector>

#include "expressions/key_condition.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The clauses of a bound condition that is used as a key condition, in order of appearance. Throws
// ExpressionError for the first part that cannot be a clause (see
// KeyConditionExpression::check_form).
std::vector<KeyClause> key_clauses(const SyntaxTree& tree);

}  // namespace magneto::expressions
