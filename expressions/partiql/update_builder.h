#pragma once

#include <span>

#include "expressions/partiql/statement_values.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The SETs and REMOVEs of a statement as the tree of an update, checked. set_add and set_delete
// become ADD and DELETE. Throws ExpressionError for what DynamoDB cannot assign (captured facts,
// "set_add / set_delete"), and as check_update.
UpdateTree build_update(StatementValues& values, std::span<const StatementAction> actions);

}  // namespace magneto::expressions
