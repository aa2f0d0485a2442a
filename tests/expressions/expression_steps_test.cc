// The cost of expressions in steps: it grows with the item and the expression, never with the
// product of the two.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expressions/condition.h"
#include "expressions/legacy/legacy_condition.h"
#include "expressions/projection.h"
#include "expressions/update.h"
#include "storage/model/limits.h"
#include "storage/model/value_writer.h"
#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeValue;
using storage::Effort;
using storage::ValueWriter;

// An item as large as one may be: "a" is a list of NULLs, which take one byte each.
constexpr std::uint32_t kElements = 200'000;

storage::Item list_item(std::uint32_t elements = kElements) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("a");
  writer.begin_list();
  for (std::uint32_t i = 0; i < elements; ++i) writer.null();
  writer.end_list();
  writer.end_item();
  return storage::Item(std::move(bytes));
}

std::string wide_name(int i) {
  std::string name = std::to_string(i);
  return "n" + std::string(5 - name.size(), '0') + name;
}

// As many attributes as an item can have with such names.
storage::Item wide_item(int attributes = 50'000) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  for (int i = 0; i < attributes; ++i) {
    writer.name(wide_name(i));
    writer.null();
  }
  writer.end_item();
  return storage::Item(std::move(bytes));
}

template <typename Piece>
std::string joined(int count, std::string_view separator, Piece piece) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i != 0) text += separator;
    text += piece(i);
  }
  return text;
}

TEST(ConditionSteps, LookAtEachElementOnce) {
  ExpressionRequest request;
  const auto condition = request.parse<Condition>(joined(120, " AND ", [](int i) {
    return "attribute_exists(a[" + std::to_string(kElements - 1 - static_cast<std::uint32_t>(i)) +
           "])";
  }));
  Effort effort;
  EXPECT_TRUE(condition.matches(list_item(), effort));
  EXPECT_LT(effort.spent(), 3 * kElements);
}

TEST(ConditionSteps, LookAtEachAttributeOnce) {
  const storage::Item item = wide_item();
  std::vector<std::string> names;
  for (int i = 0; i < 20'000; ++i) names.push_back(wide_name(49'999 - i));
  std::vector<LegacyComparison> comparisons;
  for (const std::string& name : names) {
    comparisons.push_back({name, LegacyOperator::kExists, {}});
  }
  const Condition condition = legacy_condition(comparisons, LegacyJunction::kAnd);
  Effort effort;
  EXPECT_TRUE(condition.matches(item, effort));
  EXPECT_LT(effort.spent(), 4 * 50'000u);
}

TEST(ConditionSteps, OfInGrowWithTheLogarithmOfItsValues) {
  std::vector<AttributeValue> values;
  for (int i = 0; i < 100'000; ++i) values.push_back(s(wide_name(i % 100'000).substr(0, 6)));
  LegacyComparison comparison{"x", LegacyOperator::kIn, {}};
  for (const AttributeValue& value : values) comparison.operands.push_back(value);
  const Condition condition = legacy_condition({&comparison, 1}, LegacyJunction::kAnd);
  Effort effort;
  EXPECT_TRUE(condition.matches(item({{"x", s("n00007")}}), effort));
  EXPECT_TRUE(condition.matches(item({{"x", s("n99999")}}), effort));
  EXPECT_FALSE(condition.matches(item({{"x", s("n9999a")}}), effort));
  EXPECT_FALSE(condition.matches(item({{"x", s("n")}}), effort));
  EXPECT_FALSE(condition.matches(item({{"x", n("7")}}), effort));
  EXPECT_FALSE(condition.matches(item({}), effort));
  EXPECT_LT(effort.spent(), 200u);
}

TEST(ConditionSteps, OfInWithValuesAndPaths) {
  ExpressionRequest request;
  std::string text = "x IN (y";
  for (int i = 0; i < 30; ++i) {
    const std::string placeholder = ":v" + std::to_string(i);
    request.add_value(placeholder, n(std::to_string(i)));
    text += ", " + placeholder + ", p" + std::to_string(i);
  }
  const auto condition = request.parse<Condition>(text + ")");
  EXPECT_TRUE(condition.matches(item({{"x", n("29")}})));
  EXPECT_TRUE(condition.matches(item({{"x", n("0")}})));
  EXPECT_TRUE(condition.matches(item({{"x", s("a")}, {"y", s("a")}})));
  EXPECT_TRUE(condition.matches(item({{"p17", s("a")}, {"x", s("a")}})));
  EXPECT_FALSE(condition.matches(item({{"p17", s("b")}, {"x", s("a")}})));
  EXPECT_FALSE(condition.matches(item({{"x", n("30")}})));
}

TEST(ProjectionSteps, LookAtEachMemberOnce) {
  // 25 lists inside one another, and in the innermost one a path that leads nowhere in front of one
  // that does.
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("a");
  for (int i = 0; i < 25; ++i) writer.begin_list();
  for (std::uint32_t i = 0; i < kElements; ++i) writer.null();
  for (int i = 0; i < 25; ++i) writer.end_list();
  writer.end_item();
  std::string outer;
  for (int i = 0; i < 24; ++i) outer += "[0]";
  ExpressionRequest request;
  const auto projection =
      request.parse<Projection>("a" + outer + "[3].x, a" + outer + "[4].x, a" + outer + "[" +
                                std::to_string(kElements - 1) + "]");
  Effort effort;
  std::string nested = "null";
  for (int i = 0; i < 25; ++i) nested = "[" + nested + "]";
  EXPECT_EQ(show(projection.apply(storage::Item(bytes), effort).view()), "{a: " + nested + "}");
  EXPECT_LT(effort.spent(), kElements + 100);
}

TEST(ProjectionSteps, DoNotGrowWithNamesThatAreNotThere) {
  std::vector<std::string> names;
  for (int i = 0; i < 100'000; ++i) names.push_back("x" + std::to_string(i));
  std::vector<PathElement> attributes;
  for (const std::string& name : names) attributes.push_back(PathElement::member(name));
  std::vector<PathView> paths;
  for (const PathElement& attribute : attributes) paths.emplace_back(&attribute, 1);
  const Projection projection = Projection::of(paths);
  Effort effort;
  // Quadratic, this would be 10 billion comparisons.
  for (int i = 0; i < 100'000; ++i) {
    EXPECT_EQ(projection.apply(item({{"x77777", n("1")}}), effort).view().size(), 1u);
  }
  EXPECT_LT(effort.spent(), 1'000'000u);
}

constexpr char kTooLarge[] = "Item size to update has exceeded the maximum allowed size";

std::string refusal(const Update& update, const storage::Item& current, Effort& effort) {
  return ExpressionRequest::message_of([&] { update.apply(current, true, effort); },
                                       ExpressionError::Scope::kRequest);
}

TEST(UpdateSteps, LookAtEachElementOnce) {
  const storage::Item current = list_item();
  ExpressionRequest request({{":v", n("1")}});
  const auto update = request.parse<Update>(
      "SET " + joined(280, ",", [](int i) { return "a[" + std::to_string(199'999 - i) + "]=:v"; }));
  Effort effort;
  const storage::Item after = update.apply(current, true, effort);
  EXPECT_EQ(after.view().find("a").list().at(199'999), n("1"));
  EXPECT_LT(effort.spent(), 4 * kElements);
}

// SET b = list_append(a, list_append(a, ...)), as statements may say.
Update nested_append(int lists) {
  SyntaxTree tree;
  const PathElement a = PathElement::member("a");
  const PathElement b = PathElement::member("b");
  const NodeIndex target = tree.add_path({&b, 1});
  NodeIndex value = tree.add_path({&a, 1});
  for (int i = 1; i < lists; ++i) {
    const NodeIndex operands[] = {tree.add_path({&a, 1}), value};
    value = tree.add(NodeKind::kListAppend, operands);
  }
  return Update::of({tree, {{ActionKind::kSet, target, value}}});
}

// Each list_append in another makes no list between.
TEST(UpdateSteps, OfNestedListAppendDoNotMakeWhatNoItemHolds) {
  const Update update = nested_append(300);
  for (const std::uint32_t elements : {1'000u, kElements}) {
    Effort effort;
    EXPECT_EQ(refusal(update, list_item(elements), effort), kTooLarge);
    EXPECT_LT(effort.spent(), 4 * kElements);
  }
  Effort effort;
  const storage::Item after = update.apply(list_item(500), true, effort);
  EXPECT_EQ(after.view().find("b").list().size(), 150'000u);
  EXPECT_LT(effort.spent(), 4 * kElements);
}

TEST(UpdateSteps, StopWhenTheValuesTogetherAreTooLarge) {
  const storage::Item current = list_item(100'000);
  ExpressionRequest request;
  for (const char* value : {"list_append(a,a)", "a"}) {
    const auto update = request.parse<Update>(
        "SET " + joined(170, ",", [&](int i) { return "b" + std::to_string(i) + "=" + value; }));
    Effort effort;
    EXPECT_EQ(refusal(update, current, effort), kTooLarge);
    EXPECT_LT(effort.spent(), 5 * kElements);
  }
}

TEST(UpdateSteps, KeepTheOrderOfErrors) {
  const storage::Item current = list_item(150'000);
  ExpressionRequest request({{":v", n("1")}});
  Effort effort;
  const auto refused = [&](std::string_view text) {
    return refusal(request.parse<Update>(text), current, effort);
  };
  EXPECT_EQ(refused("SET b=list_append(a,a)"), kTooLarge);
  EXPECT_EQ(refused("SET b=list_append(a,a), c=:v+a"),
            "An operand in the update expression has an incorrect data type");
  EXPECT_EQ(refused("SET b=list_append(a,a), c=gone"),
            "The provided expression refers to an attribute that does not exist in the item");
  EXPECT_EQ(refused("SET b=list_append(a,a), c.d=:v"),
            "The document path provided in the update expression is invalid for update");
}

// An update that fits succeeds: 3 for each list and 2 for each element.
TEST(UpdateSteps, DoNotRefuseWhatFits) {
  const storage::Item current = list_item(51'000);
  ExpressionRequest request;
  Effort effort;
  const auto most = request.parse<Update>("SET b=list_append(a,if_not_exists(gone,a)), c=a, d=a");
  const storage::Item after = most.apply(current, true, effort);
  EXPECT_EQ(after.view().find("b").list().size(), 102'000u);
  EXPECT_EQ(after.view().find("d"), current.view().find("a"));
  const auto more = request.parse<Update>("SET b=list_append(a,a), c=a, d=a, e=a");
  EXPECT_EQ(refusal(more, current, effort), kTooLarge);
}

TEST(UpdateSteps, OfSetsAreLinear) {
  std::vector<std::string> texts;
  for (int i = 0; i < 60'000; ++i) texts.push_back(wide_name(i));
  const AttributeValue old = ss({texts.begin(), texts.begin() + 50'000});
  const AttributeValue other = ss({texts.begin() + 30'000, texts.end()});
  ExpressionRequest request(ExpressionRequest::Values{{":other", other}});
  const storage::Item current = item({{"a", old}});
  Effort effort;
  const auto added = request.parse<Update>("ADD a :other").apply(current, true, effort);
  EXPECT_EQ(added.view().find("a").set().size(), 60'000u);
  const auto taken = request.parse<Update>("DELETE a :other").apply(current, true, effort);
  EXPECT_EQ(taken.view().find("a").set().size(), 30'000u);
  EXPECT_LT(effort.spent(), 1'000'000u);
}

}  // namespace
}  // namespace magneto::expressions
