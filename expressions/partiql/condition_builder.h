#pragma once

#include "expressions/partiql/statement_values.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// A WHERE clause as the tree of a condition, checked. Throws ExpressionError for operators and
// functions DynamoDB does not have, and as check_condition.
SyntaxTree build_condition(StatementValues& values, const Term& condition);

}  // namespace magneto::expressions
