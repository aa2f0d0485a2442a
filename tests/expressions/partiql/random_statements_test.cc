#include <gtest/gtest.h>

#include "expressions/partiql/key_plan.h"
#include "tests/expressions/partiql/statement_request.h"
#include "tests/support/random_values.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;
using storage::AttributeType;

constexpr const char* kTokens[] = {"SELECT",
                                   "*",
                                   "FROM",
                                   "t",
                                   "WHERE",
                                   "a",
                                   "pk",
                                   "sk",
                                   "=",
                                   "<>",
                                   "<",
                                   ">=",
                                   "AND",
                                   "OR",
                                   "NOT",
                                   "IN",
                                   "BETWEEN",
                                   "IS",
                                   "NULL",
                                   "MISSING",
                                   "1",
                                   "-",
                                   "+",
                                   "1.5e3",
                                   "'x'",
                                   "?",
                                   "[",
                                   "]",
                                   "<<",
                                   ">>",
                                   "{",
                                   "}",
                                   "(",
                                   ")",
                                   ",",
                                   ":",
                                   ".",
                                   ";",
                                   "INSERT INTO",
                                   "VALUE",
                                   "UPDATE",
                                   "SET",
                                   "REMOVE",
                                   "DELETE",
                                   "RETURNING ALL OLD *",
                                   "ORDER",
                                   "BY",
                                   "DESC",
                                   "size(",
                                   "set_add(",
                                   "EXISTS(",
                                   "\"q\"",
                                   "LIKE",
                                   "--",
                                   "/*",
                                   "1e999999999999",
                                   "inner",
                                   "count(",
                                   "@",
                                   "||",
                                   "true",
                                   "\xC3\xBC"};

// Random statements: each must work or be refused with a text.
class RandomStatementsTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  template <std::size_t count>
  std::string pick(const char* const (&words)[count]) {
    return words[random_.below(count)];
  }

  std::string anything() {
    std::string text;
    for (std::uint64_t tokens = random_.below(24); tokens > 0; --tokens)
      text += pick(kTokens) + ' ';
    return text;
  }

  std::string value() {
    static constexpr const char* kValues[] = {"1",        "'x'",      "-2.5",     "true",    "null",
                                              "[1, 'a']", "{'k': 1}", "<<1, 2>>", "<<'a'>>", "''"};
    return pick(kValues);
  }
  std::string path() {
    static constexpr const char* kPaths[] = {"pk", "sk", "a", "b.c", "l[0]", "\"d e\"", "m.x[1].y"};
    return pick(kPaths);
  }
  std::string operand() { return random_.one_in(2) ? value() : path(); }

  std::string condition(int depth) {
    static constexpr const char* kComparisons[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    switch (random_.below(depth == 0 ? 6 : 10)) {
      case 0:
        return path() + " IN [" + value() + ", " + value() + "]";
      case 1:
        return path() + " BETWEEN 'a' AND 'b'";
      case 2:
        return "begins_with(" + path() + ", 'x')";
      case 3:
        return path() + " IS NOT MISSING";
      case 6:
        return "NOT " + condition(depth - 1);
      case 7:
        return "(" + condition(depth - 1) + ") = " + operand();
      case 8:
      case 9:
        return "(" + condition(depth - 1) + (random_.one_in(2) ? " AND " : " OR ") +
               condition(depth - 1) + ")";
      default:
        return operand() + pick(kComparisons) + operand();
    }
  }

  // Refused in words or not at all; planned either way of keys.
  bool works(const std::string& text) {
    static const storage::KeySchema kKeys[] = {
        {{{"pk", AttributeType::kString}}, {{"sk", AttributeType::kString}}},
        {{{"pk", AttributeType::kNumber}}, {}}};
    try {
      const StatementRequest request(text);
      if (request->kind() == Statement::Kind::kInsert) return true;
      const storage::Item item = random_.item(5, 2);
      if (request->condition() != nullptr) request->condition()->matches(item);
      for (const storage::KeySchema& key : kKeys) {
        find_key_equalities(request->condition_tree(), key);
        check_key_types(plan_reads(request->condition_tree(), key), key);
      }
      return true;
    } catch (const ExpressionError& error) {
      EXPECT_NE(error.message(), "");
      return false;
    }
  }

  RandomValues random_{GetParam()};
};

TEST_P(RandomStatementsTest, AnyTokensAreRefusedInWords) {
  for (int i = 0; i < 4'000; ++i) works(anything());
}

TEST_P(RandomStatementsTest, StatementsOfTheRightFormMostlyWork) {
  int worked = 0;
  for (int i = 0; i < 1'000; ++i) {
    const std::string where = " WHERE " + condition(3);
    switch (random_.below(4)) {
      case 0:
        worked += works("DELETE FROM t" + where);
        break;
      case 1:
        worked += works("UPDATE t SET a = " + operand() + " REMOVE b" + where);
        break;
      case 2:
        worked += works("INSERT INTO t VALUE {'pk': " + value() + ", 'a': " + value() + "}");
        break;
      default:
        worked += works("SELECT a, b.c FROM t" + where);
    }
  }
  EXPECT_GT(worked, 200);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomStatementsTest, ::testing::Range<std::uint64_t>(1, 6));

}  // namespace
}  // namespace magneto::expressions
