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

// What a Query asks of one table's or index's key: every partition attribute equal to a value, the
// first sort attributes equal to values, and one condition on the sort attribute after those.
// Values have the types of the key schema. Views into the request.
struct KeyCondition {
  std::vector<AttributeView> partition;  // in schema order
  std::vector<AttributeView>
      sort_equal;  // a prefix of the sort attributes, without the last one named
  SortOperator sort_operator = SortOperator::kNone;  // on the sort attribute after the prefix
  AttributeView low;                                 // the operand, or the lower one of kBetween
  AttributeView high;                                // kBetween only
};

}  // namespace magneto::storage
