#pragma once

#include <span>

#include "expressions/partiql/statement_values.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// Converts the SETs and REMOVEs of a statement to the checked tree of an update. set_add and
// set_delete become ADD and DELETE. Throws ExpressionError for assignments that DynamoDB cannot
// make (captured facts, "set_add / set_delete"), and for everything that check_statement_update refuses.
UpdateTree build_update(StatementValues& values, std::span<const StatementAction> actions);

}  // namespace magneto::expressions
