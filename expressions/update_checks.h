#pragma once

#include "expressions/placeholders.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// Binds a parsed update and checks it. Throws ExpressionError for the first problem in this order:
// undefined names, undefined values, targets that overlap or conflict, values of ADD and DELETE,
// then the operands of functions and arithmetic from left to right.
void bind_update(UpdateTree& update, Placeholders& placeholders);

// Makes the same checks on the update of a statement, which was built bound. Of two targets that
// overlap it names the later one first (captured facts 3, P52).
void check_statement_update(const UpdateTree& update);

}  // namespace magneto::expressions
