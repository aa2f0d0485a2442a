#include "expressions/partiql/statement_words.h"

#include <gtest/gtest.h>

namespace magneto::expressions {
namespace {

TEST(StatementWordsTest, FindsWordsInLowerCase) {
  EXPECT_EQ(find_keyword("select"), "select");
  EXPECT_EQ(find_keyword("inner"), "inner");
  EXPECT_TRUE(find_keyword("SELECT").empty());
  EXPECT_TRUE(find_keyword("status").empty());  // reserved in expressions, not in statements
  EXPECT_TRUE(find_keyword("and").empty());
  EXPECT_EQ(find_operator_word("between"), "between");
  EXPECT_TRUE(find_operator_word("select").empty());
}

TEST(StatementWordsTest, OrdersOperatorsByStrength) {
  EXPECT_LT(infix_precedence("or"), infix_precedence("and"));
  EXPECT_LT(infix_precedence("and"), kNotPrecedence);
  EXPECT_LT(kNotPrecedence, infix_precedence("="));
  EXPECT_EQ(infix_precedence("is_not"), infix_precedence("="));
  EXPECT_LT(infix_precedence("="), infix_precedence("between"));
  EXPECT_LT(infix_precedence("<"), infix_precedence("-"));
  EXPECT_LT(infix_precedence("+"), infix_precedence("*"));
  EXPECT_EQ(infix_precedence("not"), 0);
  EXPECT_EQ(infix_precedence("select"), 0);
}

TEST(StatementWordsTest, KnowsTypes) {
  EXPECT_EQ(find_type_name("bool")->type, storage::AttributeType::kBoolean);
  EXPECT_EQ(find_type_name("tuple")->type, storage::AttributeType::kMap);
  EXPECT_EQ(find_type_name("int4")->type, std::nullopt);
  EXPECT_EQ(find_type_name("int4")->refused_name, "Integer4Type");
  EXPECT_EQ(find_type_name("missing")->word, "missing");
  for (const char* word : {"double", "map", "number", "set", "text", "binary", "foo"}) {
    EXPECT_EQ(find_type_name(word), nullptr) << word;
  }
}

TEST(StatementWordsTest, JoinsWordsThatBelongTogether) {
  EXPECT_EQ(find_merged_word("not", "in"), "not_in");
  EXPECT_EQ(find_merged_word("insert", "into"), "insert_into");
  EXPECT_EQ(find_merged_word("all", "old"), "all_old");
  EXPECT_TRUE(find_merged_word("in", "not").empty());
}

}  // namespace
}  // namespace magneto::expressions
