#pragma once

#include <cstddef>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// Bytes as DynamoDB counts them towards item size, capacity and page size: UTF-8 length of every
// attribute name plus its value. S, B: length; N: number rule; BOOL, NULL: 1; set: its members; L,
// M: 3 + 1 for each element or member + their contents (captured facts, "Item size").
std::size_t value_size(AttributeView value);
std::size_t item_size(ItemView item);

// Levels of nesting; a scalar or set has 1 (limit: kMaxNestingLevels).
std::size_t nesting_levels(AttributeView value);

}  // namespace magneto::storage
