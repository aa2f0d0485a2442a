#pragma once

#include "expressions/partiql/statement_values.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// Converts a WHERE clause to the checked tree of a condition. Throws ExpressionError for operators
// and functions that DynamoDB does not have, and for everything that check_condition refuses.
SyntaxTree build_condition(StatementValues& values, const Term& condition);

}  // namespace magneto::expressions
