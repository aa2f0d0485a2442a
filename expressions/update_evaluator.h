#pragma once

#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// The item after a bound update; every operand reads `current`. Throws ExpressionError of scope
// kRequest, the first of: a path through a value of another type, an operand of a wrong type or a
// number out of range, a path that leads through nothing, an attribute that is not there, values
// that together are larger than an item. REMOVE of a nested path is ignored when there is no item
// (`item_exists` false; `current` is then its key).
storage::Item apply_update(const UpdateTree& update, storage::ItemView current, bool item_exists,
                           storage::Effort& effort);

}  // namespace magneto::expressions
