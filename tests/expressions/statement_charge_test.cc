#include "expressions/statement_charge.h"

#include "expressions/update.h"
#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

std::size_t charge(std::string_view text) {
  ExpressionRequest request({{"#long", "abcdefghij"}}, {{":s", s("12345")},
                                                        {":n", n("100")},
                                                        {":ss", ss({"abc", "de"})},
                                                        {":l", list({s("ab")})},
                                                        {":m", map({{"leaf", s("12345")}})}});
  return request.parse<Update>(text).statement_charge();
}

constexpr std::size_t kBase = 3;

TEST(StatementChargeTest, CountsActions) {
  EXPECT_EQ(charge("SET b = :s"), kBase + 19 + 1 + 5);
  EXPECT_EQ(charge("ADD b :n"), kBase + 19 + 1 + 2);
  EXPECT_EQ(charge("ADD b :ss"), kBase + 19 + 1 + 5);
  EXPECT_EQ(charge("REMOVE r"), kBase + 2);
  EXPECT_EQ(charge("DELETE r :ss"), kBase + 2);
  EXPECT_EQ(charge("REMOVE r, rr"), kBase + 2 + 3);
  EXPECT_EQ(charge("SET b = :s, c = :s REMOVE r"), kBase + 2 * 25 + 2);
}

TEST(StatementChargeTest, CountsTargets) {
  EXPECT_EQ(charge("SET #long = :s"), kBase + 19 + 10 + 5);
  // Costs one more than the document that it makes: SET d = {leaf} counts 3 + 1 + 4 besides the
  // value.
  EXPECT_EQ(charge("SET d.leaf = :s"), kBase + 19 + (1 + 4 + 4) + 5);
  EXPECT_EQ(charge("SET d = :m"), kBase + 19 + 1 + (3 + 1 + 4 + 5));
  EXPECT_EQ(charge("SET d[0] = :s"), kBase + 19 + (1 + 4 + 1) + 5);
  EXPECT_EQ(charge("SET d[1234].#long = :s"), kBase + 19 + (1 + 4 + 4 + 4 + 10) + 5);
}

TEST(StatementChargeTest, CountsOperands) {
  EXPECT_EQ(charge("SET b = abcdefghij"), kBase + 20 + 25);
  EXPECT_EQ(charge("SET b = #long"), kBase + 20 + 25);
  EXPECT_EQ(charge("SET b = l[10]"), kBase + 20 + 1 + 15 + 16);
  EXPECT_EQ(charge("SET b = m.z"), kBase + 20 + 1 + 15 + 15);
  EXPECT_EQ(charge("SET b = c + :n"), kBase + 20 + 34 + 16 + 2);
  EXPECT_EQ(charge("SET b = (c) - (:n)"), kBase + 20 + 37 + 16 + 2);
  EXPECT_EQ(charge("SET b = if_not_exists(c, :s)"), kBase + 20 + 39 + 16 + 5);
  EXPECT_EQ(charge("SET b = list_append(:l, :l)"), kBase + 20 + 37 + 2 * (3 + 1 + 2));
  EXPECT_EQ(charge("SET b = list_append(if_not_exists(c, :l), :l)"),
            kBase + 20 + 37 + (39 + 16 + 6) + 6);
}

}  // namespace
}  // namespace magneto::expressions
