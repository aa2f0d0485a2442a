#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/condition.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// ComparisonOperator of the parameters that expressions replaced (AWS developer guide, "Legacy
// conditional parameters").
enum class LegacyOperator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kExists,     // NOT_NULL
  kNotExists,  // NULL
  kContains,
  kNotContains,
  kBeginsWith,
  kIn,
  kBetween,
};

// One entry of Expected, QueryFilter or ScanFilter: a whole top-level attribute compared with
// values, whose number and types the operator takes. Views into the request.
struct LegacyComparison {
  std::string_view attribute;
  LegacyOperator comparison = LegacyOperator::kEqual;
  std::vector<storage::AttributeView> operands;
};

// ConditionalOperator.
enum class LegacyJunction : std::uint8_t { kAnd, kOr };

// The condition that all, or any, of the comparisons hold; there is at least one.
Condition legacy_condition(std::span<const LegacyComparison> comparisons, LegacyJunction junction);

}  // namespace magneto::expressions
