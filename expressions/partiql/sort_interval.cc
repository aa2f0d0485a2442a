#include "expressions/partiql/sort_interval.h"

#include <string_view>

namespace magneto::expressions {

using storage::AttributeView;
using storage::SortOperator;

namespace {

// Bytes whose order is that of scalars of one type.
std::string bytes_of(AttributeView value) {
  const bool is_scalar = value.type() == storage::AttributeType::kString ||
                         value.type() == storage::AttributeType::kNumber ||
                         value.type() == storage::AttributeType::kBinary;
  return std::string(is_scalar ? value.scalar_bytes() : value.bytes());
}

// The smallest text above all that begin with `prefix`; empty if there is none.
std::string behind_prefix(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) prefix.pop_back();
  if (!prefix.empty()) prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

}  // namespace

SortInterval SortInterval::of(const SortCondition& condition) {
  SortInterval interval;
  interval.type_ = condition.low.type();
  interval.is_typed_ = true;
  const std::string low = bytes_of(condition.low);
  switch (condition.op) {
    case SortOperator::kNone:
      break;
    case SortOperator::kEqual:
      interval.low_ = interval.high_ = {true, true, low};
      break;
    case SortOperator::kLess:
    case SortOperator::kLessOrEqual:
      interval.high_ = {true, condition.op == SortOperator::kLessOrEqual, low};
      break;
    case SortOperator::kGreater:
    case SortOperator::kGreaterOrEqual:
      interval.low_ = {true, condition.op == SortOperator::kGreaterOrEqual, low};
      break;
    case SortOperator::kBetween:
      interval.low_ = {true, true, low};
      interval.high_ = {true, true, bytes_of(condition.high)};
      break;
    case SortOperator::kBeginsWith:
      interval.low_ = {true, true, low};
      interval.high_ = {false, false, behind_prefix(low)};
      interval.high_.is_set = !interval.high_.bytes.empty();
      break;
  }
  return interval;
}

bool SortInterval::is_above(const Bound& low, const Bound& high) {
  if (!low.is_set || !high.is_set) return false;
  const int order = low.bytes.compare(high.bytes);
  return order > 0 || (order == 0 && !(low.is_closed && high.is_closed));
}

bool SortInterval::meets(const SortInterval& other) const {
  if (is_typed_ && other.is_typed_ && type_ != other.type_) return false;
  return !is_above(low_, other.high_) && !is_above(other.low_, high_);
}

}  // namespace magneto::expressions
