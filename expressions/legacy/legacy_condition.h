#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/condition.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// The ComparisonOperator of the parameters that expressions replaced (AWS developer guide, "Legacy
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

// One entry of Expected, QueryFilter or ScanFilter: compares a whole top-level attribute with
// values. Their number and types suit the operator. Views into the request.
struct LegacyComparison {
  std::string_view attribute;
  LegacyOperator comparison = LegacyOperator::kEqual;
  std::vector<storage::AttributeView> operands;
};

// The parameter ConditionalOperator.
enum class LegacyJunction : std::uint8_t { kAnd, kOr };

// A condition that all, or any, of the comparisons hold; there must be at least one.
Condition legacy_condition(std::span<const LegacyComparison> comparisons, LegacyJunction junction);

}  // namespace magneto::expressions
