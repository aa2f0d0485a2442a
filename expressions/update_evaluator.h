#pragma once

#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// The item after a bound update; every operand reads `current`. Throws ExpressionError of scope
// kRequest, the first of: a path through a value of another type, an operand of a wrong type or a
// number out of range, a path that leads through nothing, an attribute that is not there. REMOVE of
// a nested path is ignored when there is no item (`item_exists` false; `current` is then its key).
storage::Item apply_update(const UpdateTree& update, storage::ItemView current, bool item_exists);

}  // namespace magneto::expressions
