#pragma once

#include <cstdint>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

enum class SortOperator : std::uint8_t {
  kNone,
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,     // low and high inclusive
  kBeginsWith,  // strings and binary
};

// The key condition of a Query on a table or index: every partition attribute equals a value, the
// first sort attributes equal values, and one condition holds for the next sort attribute. Values
// have the types of the key schema. Views into the request.
struct KeyCondition {
  std::vector<AttributeView> partition;  // in schema order
  // A prefix of the sort attributes, without the last one named.
  std::vector<AttributeView> sort_equal;
  SortOperator sort_operator = SortOperator::kNone;  // for the sort attribute after the prefix
  AttributeView low;                                 // the operand, or the lower one of kBetween
  AttributeView high;                                // kBetween only
};

}  // namespace magneto::storage
