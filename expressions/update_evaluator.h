#pragma once

#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// Returns the item after a bound update; every operand reads `current`. If there is no item,
// `item_exists` is false, `current` is its key, and REMOVE of a nested path is ignored. Throws
// ExpressionError of scope kRequest for the first of these problems:
// - a path through a value of another type,
// - an operand of a wrong type, or a number out of range,
// - a path through a missing value,
// - a missing attribute,
// - values that together are larger than an item.
storage::Item apply_update(const UpdateTree& update, storage::ItemView current, bool item_exists,
                           storage::Effort& effort);

}  // namespace magneto::expressions
