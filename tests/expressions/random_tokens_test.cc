#include <gtest/gtest.h>

#include "expressions/condition.h"
#include "expressions/key_condition.h"
#include "expressions/projection.h"
#include "expressions/update.h"
#include "tests/expressions/expression_request.h"
#include "tests/support/random_values.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

// Random texts: each must work or be refused with a text.
class RandomTokensTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  std::string random_text() {
    static constexpr const char* kTokens[] = {"a",
                                              "b",
                                              "a.b",
                                              "a[0]",
                                              "b[1].a",
                                              "#n",
                                              "#gone",
                                              ":v",
                                              ":w",
                                              ":l",
                                              ":gone",
                                              "=",
                                              "<>",
                                              "<",
                                              ">=",
                                              "+",
                                              "-",
                                              "(",
                                              "(",
                                              ")",
                                              ")",
                                              "[",
                                              "]",
                                              ",",
                                              ".",
                                              "AND",
                                              "or",
                                              "NOT",
                                              "IN",
                                              "IN (",
                                              "BETWEEN",
                                              "SET",
                                              "REMOVE",
                                              "ADD",
                                              "DELETE",
                                              "size(",
                                              "attribute_exists(",
                                              "contains(",
                                              "begins_with(",
                                              "if_not_exists(",
                                              "list_append(",
                                              "attribute_type(",
                                              "0",
                                              "7",
                                              "_",
                                              "!",
                                              "\xC3\xBC",
                                              "name"};
    std::string text;
    for (std::uint64_t tokens = random_.below(24); tokens > 0; --tokens) {
      text += kTokens[random_.below(std::size(kTokens))];
      if (!random_.one_in(3)) text += ' ';
    }
    return text;
  }

  // A well-formed text with a token or two exchanged, left out or repeated.
  std::string damaged_text() {
    static constexpr const char* kTexts[] = {
        "SET a = if_not_exists ( a , :v ) + :v , b [ 1 ] = list_append ( :l , b ) REMOVE #n . x",
        "ADD a . b :v DELETE b :s SET #n = ( a - :v )",
        "( a = :v OR NOT contains ( b , :w ) ) AND #n BETWEEN :v AND :x",
        "a IN ( :v , :w , b [ 0 ] ) AND size ( a ) > :v OR attribute_exists ( #n . a [ 2 ] )",
        "a , b [ 1 ] . a , #n , c . d"};
    std::string text;
    std::string_view rest = kTexts[random_.below(std::size(kTexts))];
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (!random_.one_in(15)) text += std::string(rest.substr(0, end)) + ' ';
      if (random_.one_in(15)) text += random_text();
      if (random_.one_in(20)) text += std::string(rest.substr(0, end)) + ' ';
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return text;
  }

  RandomValues random_{GetParam()};
};

ExpressionRequest random_request() {
  return ExpressionRequest(
      {{"#n", "n"}},
      {{":v", n("1")}, {":w", s("S")}, {":x", n("2")}, {":l", list({n("1")})}, {":s", ss({"x"})}});
}

TEST_P(RandomTokensTest, NeverCrash) {
  const storage::Item current = random_.item(6, 4);
  for (int round = 0; round < 400; ++round) {
    const std::string text = random_.one_in(2) ? random_text() : damaged_text();
    const auto guarded = [](auto call) {
      try {
        call();
      } catch (const ExpressionError& error) {
        EXPECT_NE(error.message(), "");
      }
    };
    ExpressionRequest values = random_request();
    guarded([&] { values.parse<Condition>(text).matches(current); });
    guarded([&] {
      values.parse<KeyConditionExpression>(text).against(
          {{{"a", storage::AttributeType::kNumber}}, {{"b", storage::AttributeType::kString}}});
    });
    guarded([&] { values.parse<Projection>(text).apply(current); });
    guarded([&] {
      const auto update = values.parse<Update>(text);
      update.statement_charge();
      const storage::Item updated = update.apply(current, random_.one_in(2));
      Projection::of(update.targets()).apply(updated);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTokensTest, ::testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace magneto::expressions
