#include "expressions/condition_evaluator.h"

#include "expressions/condition.h"
#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

const storage::Item& evaluated_sample() {
  static const storage::Item kItem = item({
      {"str", s("hello")},
      {"num", n("5")},
      {"neg", n("-2.5")},
      {"bin", b("\x01\x02\x03")},
      {"yes", boolean(true)},
      {"nil", null()},
      {"tags", ss({"red", "blue"})},
      {"counts", ns({"1", "2", "3"})},
      {"blobs", bs({"x", "y"})},
      {"lst", list({s("a"), n("1"), list({s("deep")}), map({{"k", s("v")}})})},
      {"mp", map({{"inner", map({{"x", n("1")}})}, {"empty", map({})}})},
      {"wide", s("a\xC3\xA9\xF0\x9F\x98\x80")},
  });
  return kItem;
}

ExpressionRequest& evaluated_request() {
  static ExpressionRequest shared_request({{"#m", "mp"}, {"#i", "inner"}},
                                          {{":hello", s("hello")},
                                           {":zz", s("zz")},
                                           {":a", s("a")},
                                           {":hell", s("hell")},
                                           {":five", n("5")},
                                           {":four", n("4")},
                                           {":six", n("6")},
                                           {":one", n("1")},
                                           {":two", n("2")},
                                           {":three", n("3")},
                                           {":b", b("\x01\x02\x03")},
                                           {":b2", b("\x02")},
                                           {":true", boolean(true)},
                                           {":null", null()},
                                           {":tags", ss({"blue", "red"})},
                                           {":red", s("red")},
                                           {":x", b("x")},
                                           {":l", list({s("deep")})},
                                           {":m", map({{"k", s("v")}})},
                                           {":S", s("S")},
                                           {":N", s("N")},
                                           {":BOOL", s("BOOL")},
                                           {":empty", s("")},
                                           {":n12", ns({"1"})}});
  return shared_request;
}

struct Case {
  const char* condition;
  bool holds;
};

class HoldsTest : public ::testing::TestWithParam<Case> {};

TEST_P(HoldsTest, Answers) {
  const auto condition = evaluated_request().parse<Condition>(GetParam().condition);
  EXPECT_EQ(condition.matches(evaluated_sample()), GetParam().holds) << GetParam().condition;
}

INSTANTIATE_TEST_SUITE_P(
    Comparisons, HoldsTest,
    ::testing::Values(
        Case{"str = :hello", true}, Case{"str = :zz", false}, Case{":hello = str", true},
        Case{"str <> :zz", true}, Case{"str <> :hello", false}, Case{"num = :five", true},
        Case{"num > :four", true}, Case{"num >= :five", true}, Case{"num < :five", false},
        Case{"num <= :five", true}, Case{"neg < num", true}, Case{":six > num", true},
        Case{"bin = :b", true}, Case{"bin < :b2", true}, Case{"yes = :true", true},
        Case{"nil = :null", true}, Case{"tags = :tags", true}, Case{"lst[2] = :l", true},
        Case{"lst[3] = :m", true}, Case{"lst[9] = :m", false}, Case{"lst.x = :m", false},
        Case{"mp[0] = :m", false}, Case{"#m.#i.x = :one", true}, Case{"mp.#i.y = :one", false},
        // Values of different types are different, and in no order.
        Case{"str = :five", false}, Case{"str <> :five", true}, Case{"str < :five", false},
        Case{"str > :five", false}, Case{"num <> :hello", true},
        // A missing attribute differs from everything, even from another one.
        Case{"gone = :five", false}, Case{"gone <> :five", true}, Case{":five <> gone", true},
        Case{"gone < :five", false}, Case{"gone >= :five", false}, Case{"gone = lost", false},
        Case{"gone <> lost", true}));

INSTANTIATE_TEST_SUITE_P(
    BetweenAndIn, HoldsTest,
    ::testing::Values(
        Case{"num BETWEEN :four AND :six", true}, Case{"num between :five and :five", true},
        Case{"num BETWEEN :one AND :four", false}, Case{":five BETWEEN :one AND num", true},
        Case{"str BETWEEN :a AND :zz", true}, Case{"num BETWEEN str AND :six", false},
        Case{"num BETWEEN :one AND str", false}, Case{"gone BETWEEN :one AND :six", false},
        Case{"num BETWEEN gone AND :six", false}, Case{"size(str) BETWEEN :five AND :six", true},
        Case{"num IN (:four, :five)", true}, Case{"num IN (:hello, :four)", false},
        Case{"num in (gone, :five)", true}, Case{"gone IN (lost, :five)", false},
        Case{":five IN (str, num)", true}, Case{"size(str) IN (:five)", true},
        Case{"num IN (size(lst), size(str))", true}));

INSTANTIATE_TEST_SUITE_P(
    Functions, HoldsTest,
    ::testing::Values(
        Case{"attribute_exists(str)", true}, Case{"attribute_exists(gone)", false},
        Case{"attribute_exists(mp.#i.x)", true}, Case{"attribute_exists(lst[3].k)", true},
        Case{"attribute_exists(lst[4])", false}, Case{"attribute_not_exists(gone)", true},
        Case{"attribute_not_exists(str)", false}, Case{"attribute_type(str, :S)", true},
        Case{"attribute_type(str, :N)", false}, Case{"attribute_type(gone, :S)", false},
        Case{"attribute_type(yes, :BOOL)", true}, Case{"attribute_type(:five, :N)", true},
        Case{"begins_with(str, :hell)", true}, Case{"begins_with(str, :zz)", false},
        Case{"begins_with(str, :empty)", true}, Case{"begins_with(num, :hell)", false},
        Case{"begins_with(gone, :hell)", false}, Case{"begins_with(:hello, str)", true},
        Case{"begins_with(bin, :b)", true}, Case{"begins_with(bin, :hell)", false},
        Case{"contains(str, :hell)", true}, Case{"contains(str, :zz)", false},
        Case{"contains(bin, :b2)", true}, Case{"contains(tags, :red)", true},
        Case{"contains(tags, :zz)", false}, Case{"contains(tags, :five)", false},
        Case{"contains(tags, :tags)", false}, Case{"contains(counts, :two)", true},
        Case{"contains(counts, :five)", false}, Case{"contains(blobs, :x)", true},
        Case{"contains(lst, :a)", true}, Case{"contains(lst, :l)", true},
        Case{"contains(lst, :m)", true}, Case{"contains(lst, :zz)", false},
        Case{"contains(mp, :a)", false}, Case{"contains(num, :five)", false},
        Case{"contains(gone, :a)", false}, Case{"contains(:hello, :hell)", true}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, HoldsTest,
    ::testing::Values(Case{"size(str) = :five", true}, Case{"size(bin) = :three", true},
                      Case{"size(tags) = :two", true}, Case{"size(counts) = :three", true},
                      Case{"size(lst) = :four", true}, Case{"size(mp) = :two", true},
                      Case{"size(wide) = :four", true}, Case{"size(:hello) = num", true},
                      Case{"size(str) > size(bin)", true}, Case{"size(num) = :one", false},
                      Case{"size(num) <> :one", true}, Case{"size(gone) < :five", false},
                      Case{"size(str) = :hello", false}));

INSTANTIATE_TEST_SUITE_P(
    Logic, HoldsTest,
    ::testing::Values(
        Case{"str = :hello AND num = :five", true}, Case{"str = :hello AND num = :four", false},
        Case{"str = :zz OR num = :five", true}, Case{"str = :zz OR num = :four", false},
        Case{"NOT str = :zz", true}, Case{"NOT NOT str = :hello", true},
        Case{"not attribute_exists(gone)", true}, Case{"NOT gone = :five", true},
        // NOT before AND before OR.
        Case{"str = :hello OR str = :zz AND num = :four", true},
        Case{"(str = :hello OR str = :zz) AND num = :four", false},
        Case{"NOT str = :zz AND num = :four", false}, Case{"NOT (str = :zz AND num = :four)", true},
        Case{"str = :zz AND num = :four OR yes = :true", true},
        Case{"num BETWEEN :one AND :six AND str = :zz", false},
        Case{"NOT num BETWEEN :one AND :six OR str = :hello", true},
        Case{"(((str) = (:hello)) AND (NOT (num = :four)))", true}));

TEST(FindTest, TakesStepsOfTheRightKindOnly) {
  storage::Effort effort;
  const PathElement deep[] = {PathElement::member("lst"), PathElement::element(2),
                              PathElement::element(0)};
  EXPECT_EQ(show(find(evaluated_sample(), deep, effort)), "\"deep\"");
  const PathElement wrong[] = {PathElement::member("lst"), PathElement::member("a")};
  EXPECT_FALSE(find(evaluated_sample(), wrong, effort));
  const PathElement scalar[] = {PathElement::member("str"), PathElement::element(0)};
  EXPECT_FALSE(find(evaluated_sample(), scalar, effort));
}

}  // namespace
}  // namespace magneto::expressions
