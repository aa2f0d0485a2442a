#pragma once

#include <cstddef>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The bytes that a bound update counts towards the item size limit before the item is read
// (captured facts, "UpdateItem statement-size rule").
std::size_t statement_charge(const UpdateTree& update);

}  // namespace magneto::expressions
