#include "expressions/update.h"

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

ExpressionRequest update_request() {
  return ExpressionRequest({{"#n", "name"}}, {{":s", s("x")}, {":n", n("1")}, {":ss", ss({"x"})}});
}

TEST(UpdateTargetsTest, KeepsTheOrderOfAppearance) {
  ExpressionRequest values = update_request();
  const auto update = values.parse<Update>("REMOVE z, a.b[2] SET #n = :s ADD c :n DELETE d :ss");
  ASSERT_EQ(update.targets().size(), 5u);
  EXPECT_EQ(update.targets()[0].front().name, "z");
  EXPECT_EQ(path_text(update.targets()[1]), "[a, b, [2]]");
  EXPECT_EQ(update.targets()[2].front().name, "name");
  EXPECT_EQ(update.targets()[2].size(), 1u);
}

TEST(UpdateTargetsTest, KnowsLiteralValues) {
  ExpressionRequest values = update_request();
  const auto update = values.parse<Update>(
      "SET a = :s, b = (:n), c = c + :n, d = if_not_exists(d, :s), e.f = :s, g = a REMOVE h ADD i "
      ":n, j.k :n DELETE l :ss");
  const char* expected[] = {"\"x\"",  "1",      "absent", "absent", "absent",
                            "absent", "absent", "1",      "absent", "absent"};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(show(update.literal_value(i)), expected[i]) << i;
  }
}

TEST(UpdateTargetsTest, NamesTheAttributesItLooksInto) {
  ExpressionRequest values = update_request();
  const auto update = values.parse<Update>("SET e = list_append(a, b), f = d[1] REMOVE g.h, d[2]");
  EXPECT_EQ(update.nested_attributes(), (std::vector<std::string_view>{"d", "g"}));
}

TEST(UpdateTargetsTest, TakesTreesOfOtherFrontEnds) {
  const storage::AttributeValue value = n("2");
  UpdateTree update;
  const PathElement target[] = {PathElement::member("a")};
  const NodeIndex path = update.tree.add_path(target);
  const NodeIndex operands[] = {update.tree.add_path(target), update.tree.add_value(value)};
  update.actions.push_back({ActionKind::kSet, path, update.tree.add(NodeKind::kPlus, operands)});
  const Update built = Update::of(std::move(update));
  EXPECT_EQ(show(built.apply(item({{"a", n("3")}})).view()), "{a: 5}");
  EXPECT_EQ(built.statement_charge(), 3u + 19 + 1 + 34 + 16 + 2);
}

}  // namespace
}  // namespace magneto::expressions
