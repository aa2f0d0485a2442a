#pragma once

#include <string>

#include "expressions/partiql/key_plan.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// The sort keys that one condition allows; at first all. Views into the condition.
class SortInterval {
 public:
  SortInterval() = default;
  static SortInterval of(const SortCondition& condition);

  // Whether both hold one value. Values of different types do not meet.
  bool meets(const SortInterval& other) const;

 private:
  struct Bound {
    bool is_set = false;
    bool is_closed = false;
    std::string bytes;
  };
  // Whether all values from `low` on lie above `high`.
  static bool is_above(const Bound& low, const Bound& high);

  storage::AttributeType type_ = storage::AttributeType::kString;
  bool is_typed_ = false;
  Bound low_;
  Bound high_;
};

}  // namespace magneto::expressions
