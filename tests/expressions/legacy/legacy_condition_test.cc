#include "expressions/legacy/legacy_condition.h"

#include <gtest/gtest.h>

#include "storage/model/value_writer.h"

namespace magneto::expressions {
namespace {

using storage::AttributeValue;
using storage::AttributeView;
using storage::Item;

AttributeValue number(std::int64_t value) {
  return AttributeValue::number(storage::Number::from_integer(value));
}

// {n: 5, s: "hello"}
Item sample() {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("n");
  writer.number(storage::Number::from_integer(5));
  writer.name("s");
  writer.string("hello");
  writer.end_item();
  return Item(std::move(bytes));
}

bool holds(std::string_view attribute, LegacyOperator comparison,
           const std::vector<AttributeValue>& operands) {
  LegacyComparison entry{attribute, comparison, {}};
  for (const AttributeValue& operand : operands) entry.operands.push_back(operand.view());
  const Item item = sample();
  return legacy_condition({&entry, 1}, LegacyJunction::kAnd).matches(item);
}

TEST(LegacyCondition, ComparesAttributesWithValues) {
  EXPECT_TRUE(holds("n", LegacyOperator::kEqual, {number(5)}));
  EXPECT_FALSE(holds("n", LegacyOperator::kNotEqual, {number(5)}));
  EXPECT_FALSE(holds("n", LegacyOperator::kLess, {number(5)}));
  EXPECT_TRUE(holds("n", LegacyOperator::kLessOrEqual, {number(5)}));
  EXPECT_FALSE(holds("n", LegacyOperator::kGreater, {number(5)}));
  EXPECT_TRUE(holds("n", LegacyOperator::kGreaterOrEqual, {number(5)}));
  EXPECT_TRUE(holds("n", LegacyOperator::kBetween, {number(5), number(6)}));
  EXPECT_FALSE(holds("n", LegacyOperator::kBetween, {number(6), number(7)}));
  EXPECT_TRUE(holds("n", LegacyOperator::kIn, {number(4), number(5)}));
  EXPECT_FALSE(holds("n", LegacyOperator::kIn, {number(4)}));
}

TEST(LegacyCondition, LooksIntoStrings) {
  EXPECT_TRUE(holds("s", LegacyOperator::kContains, {AttributeValue::string("ell")}));
  EXPECT_FALSE(holds("s", LegacyOperator::kNotContains, {AttributeValue::string("ell")}));
  EXPECT_TRUE(holds("s", LegacyOperator::kNotContains, {AttributeValue::string("x")}));
  EXPECT_TRUE(holds("s", LegacyOperator::kBeginsWith, {AttributeValue::string("he")}));
}

TEST(LegacyCondition, KnowsWhatIsThere) {
  EXPECT_TRUE(holds("n", LegacyOperator::kExists, {}));
  EXPECT_FALSE(holds("n", LegacyOperator::kNotExists, {}));
  EXPECT_TRUE(holds("nothing", LegacyOperator::kNotExists, {}));
  EXPECT_TRUE(holds("nothing", LegacyOperator::kNotEqual, {number(5)}));
  EXPECT_FALSE(holds("nothing", LegacyOperator::kEqual, {number(5)}));
}

TEST(LegacyCondition, JoinsComparisons) {
  const AttributeValue five = number(5);
  const AttributeValue six = number(6);
  const std::vector<LegacyComparison> entries = {
      {"n", LegacyOperator::kEqual, {five.view()}},
      {"n", LegacyOperator::kEqual, {six.view()}},
  };
  const Item item = sample();
  EXPECT_FALSE(legacy_condition(entries, LegacyJunction::kAnd).matches(item));
  EXPECT_TRUE(legacy_condition(entries, LegacyJunction::kOr).matches(item));
}

// There is no limit on their number; expressions may have 300 operators.
TEST(LegacyCondition, TakesThousandsOfComparisons) {
  const AttributeValue five = number(5);
  const std::vector<LegacyComparison> entries(5'000, {"n", LegacyOperator::kEqual, {five.view()}});
  const Item item = sample();
  EXPECT_TRUE(legacy_condition(entries, LegacyJunction::kAnd).matches(item));
}

}  // namespace
}  // namespace magneto::expressions
