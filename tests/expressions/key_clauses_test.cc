#include "expressions/key_clauses.h"

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

std::string clauses_refused(std::string_view text) {
  ExpressionRequest request({{"#k", "a"}}, {{":a", s("1")}, {":b", s("1")}, {":S", s("S")}});
  const auto condition = request.parse<KeyConditionExpression>(text);
  return ExpressionRequest::message_of([&] { condition.check_form(); });
}

std::string invalid_operator(const char* name) {
  return "Invalid operator used in KeyConditionExpression: " + std::string(name);
}

std::string invalid_condition(const char* problem) {
  return "Invalid condition in KeyConditionExpression: " + std::string(problem);
}

TEST(KeyClausesTest, RefusesOtherOperators) {
  EXPECT_EQ(clauses_refused("attribute_type(a, :S)"), invalid_operator("attribute_type"));
  EXPECT_EQ(clauses_refused("a > b and size(b) > c or a > c"), invalid_operator("OR"));
  EXPECT_EQ(clauses_refused("a in (b, size(c), d)"), invalid_operator("IN"));
  EXPECT_EQ(clauses_refused("attribute_exists(a)"), invalid_operator("attribute_exists"));
  EXPECT_EQ(clauses_refused("attribute_not_exists(a)"), invalid_operator("attribute_not_exists"));
  EXPECT_EQ(clauses_refused("contains(a.d, b)"), invalid_operator("contains"));
  EXPECT_EQ(clauses_refused("not a > b"), invalid_operator("NOT"));
  EXPECT_EQ(clauses_refused("a <> b"), invalid_operator("<>"));
}

TEST(KeyClausesTest, RequiresOneAttributeOnOneSide) {
  EXPECT_EQ(clauses_refused(":a between size(b) and size(a) and b > :b"),
            invalid_condition("BETWEEN operator must have the key attribute as its first operand"));
  EXPECT_EQ(
      clauses_refused("begins_with(:a, b) and a > :b"),
      invalid_condition("begins_with operator must have the key attribute as its first operand"));
  const std::string nested = "KeyConditionExpressions cannot contain nested operations";
  EXPECT_EQ(clauses_refused("size(b) > a AND a.b > b AND b > c"), nested);
  EXPECT_EQ(clauses_refused("a > size(b.d)"), nested);
  EXPECT_EQ(clauses_refused("a between size(b) and size(a)"), nested);
  const std::string multiple = invalid_condition("Multiple attribute names used in one condition");
  for (const char* text : {"b > a.b", "b between c[1] and d", "a between b and size(a)",
                           "begins_with(a, b)", "a = b"}) {
    EXPECT_EQ(clauses_refused(text), multiple) << text;
  }
  EXPECT_EQ(clauses_refused(":b > :a AND a < :b"), invalid_condition("No key attribute specified"));
}

TEST(KeyClausesTest, RequiresTopLevelAttributesOnce) {
  for (const char* text : {"b.d > a AND c.d > e.f", "a.d > c", "b[0] > a", ":a < #k.x",
                           "b = :a AND begins_with(a[0], :a)"}) {
    EXPECT_EQ(clauses_refused(text),
              "KeyConditionExpressions cannot have conditions on nested attributes")
        << text;
  }
  for (const char* text : {"b > :a AND b < :a and c = :a and d = :a",
                           "(a > :a and b > :a) and (b > :a and c > :a)", "a = :a AND #k = :b"}) {
    EXPECT_EQ(clauses_refused(text),
              "KeyConditionExpressions must only contain one condition per key")
        << text;
  }
  EXPECT_EQ(clauses_refused("(#k = :a) AND (b BETWEEN :a AND :b)"), "");
}

TEST(KeyClausesTest, PutsTheAttributeOnTheLeft) {
  using storage::SortOperator;
  const storage::AttributeValue value = n("1");
  const std::pair<NodeKind, SortOperator> mirrors[] = {
      {NodeKind::kEqual, SortOperator::kEqual},
      {NodeKind::kLess, SortOperator::kGreater},
      {NodeKind::kLessOrEqual, SortOperator::kGreaterOrEqual},
      {NodeKind::kGreater, SortOperator::kLess},
      {NodeKind::kGreaterOrEqual, SortOperator::kLessOrEqual}};
  for (const auto& [kind, mirrored] : mirrors) {
    SyntaxTree tree;
    const PathElement path[] = {PathElement::member("a")};
    const NodeIndex left = tree.add_value(value);
    const NodeIndex operands[] = {left, tree.add_path(path)};
    tree.add(kind, operands);
    const auto clauses = key_clauses(tree);
    ASSERT_EQ(clauses.size(), 1u);
    EXPECT_EQ(clauses[0].comparison, mirrored);
    EXPECT_EQ(clauses[0].attribute, "a");
    EXPECT_EQ(clauses[0].low, value.view());
  }
}

}  // namespace
}  // namespace magneto::expressions
