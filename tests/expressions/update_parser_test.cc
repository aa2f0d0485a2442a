#include "expressions/update_parser.h"

#include <gtest/gtest.h>

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

std::string update_refused(std::string_view text) {
  return ExpressionRequest::message_of([&] { parse_update(text); });
}

TEST(UpdateParserTest, ReadsSectionsInAnyOrder) {
  const auto parsed =
      parse_update("ADD a :v, b :w remove c.d[1] sEt e=((f)+(:v)), g = :w DELETE h :s");
  const UpdateTree& update = parsed->update;
  ASSERT_EQ(update.actions.size(), 6u);
  const ActionKind kinds[] = {ActionKind::kAdd, ActionKind::kAdd, ActionKind::kRemove,
                              ActionKind::kSet, ActionKind::kSet, ActionKind::kDelete};
  for (std::size_t i = 0; i < update.actions.size(); ++i) {
    EXPECT_EQ(update.actions[i].kind, kinds[i]) << i;
  }
  EXPECT_EQ(update.actions[2].operand, kNoNode);
  EXPECT_EQ(update.tree.node(update.actions[3].operand).kind, NodeKind::kPlus);
  EXPECT_EQ(update.tree.node(update.actions[5].operand).text, ":s");
}

TEST(UpdateParserTest, AcceptsTheWholeGrammar) {
  for (const char* text :
       {"set a = (b + c)", "set a = ((b.c.d)+(e))", "SET a = if_not_exists(a, b) + b",
        "SET a = if_not_exists(a, if_not_exists(a, b))", "set a[1] = b", "SET #a = (:v)",
        "SET a = list_append((b), (c))", "SET a = (if_not_exists(b, c)) - (:v)",
        "  set   b=:val1  ", "SET a = list_append(if_not_exists(a, :e), :v)"}) {
    EXPECT_EQ(update_refused(text), "") << text;
  }
}

TEST(UpdateParserTest, ReportsSyntaxErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"INVALID SYNTAX HERE", "token: \"INVALID\", near: \"INVALID SYNTAX\""},
      {"whatever", "token: \"whatever\", near: \"whatever\""},
      {"set a", "token: \"<EOF>\", near: \"a\""},
      {"add a", "token: \"<EOF>\", near: \"a\""},
      {"set a=set", "token: \"set\", near: \"=set\""},
      {"remove a = b", "token: \"=\", near: \"a = b\""},
      {"add a = b", "token: \"=\", near: \"a = b\""},
      {"delete a b", "token: \"b\", near: \"a b\""},
      {"add abort b", "token: \"b\", near: \"abort b\""},
      {"add a if_not_exist(b)", "token: \"if_not_exist\", near: \"a if_not_exist(\""},
      {"remove a b", "token: \"b\", near: \"a b\""},
      {"set a b", "token: \"b\", near: \"a b\""},
      {"set :a = b", "token: \":a\", near: \"set :a =\""},
      {"set a = b / c", "token: \"/\", near: \"b / c\""},
      {"set a = b * c", "token: \"*\", near: \"b * c\""},
      {"set a[1] = \"eight\"", "token: \"\"\", near: \"= \"eight\""},
      {"set a[1] = 1", "token: \"1\", near: \"= 1\""},
      {"SET a = if_not_exist(a, 100)", "token: \"100\", near: \", 100)\""},
      {"SET if_not_exist(a, b) = a", "token: \"(\", near: \"if_not_exist(a\""},
      {"set (a = (b + c))", "token: \"(\", near: \"set (a\""},
      {"set a = (b.c).d + e", "token: \".\", near: \").d\""},
      {"set a = (b.c)[0] + e", "token: \"[\", near: \")[0\""},
      {"set a = b + c + d", "token: \"+\", near: \"c + d\""},
      {"set a = (b + c) + d", "token: \"+\", near: \") + d\""},
      {"SET c = if_not_exists(c, :a+:b)", "token: \"+\", near: \":a+:b\""},
      {"SET a = :v, SET b = :w", "token: \"SET\", near: \", SET b\""},
      {"SET a = :v,", "token: \"<EOF>\", near: \",\""},
      {"SET a = (:v", "token: \"<EOF>\", near: \":v\""},
      {"SET a = :v)", "token: \")\", near: \":v)\""},
      {"SET a = f(:v", "token: \"<EOF>\", near: \":v\""},
      {"SET a = f()", "token: \")\", near: \"()\""},
      {"SET a = (:v, :w)", "token: \",\", near: \":v, :w\""},
      {"ADD hits : incr", "token: \":\", near: \"hits : incr\""},
      {"SET _123 = :v", "token: \"_\", near: \"SET _123\""},
      {"SET a = b = c", "token: \"=\", near: \"b = c\""},
      {"  ", "token: \"<EOF>\", near: \"  \""},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_EQ(update_refused(text), std::string("Syntax error; ") + error) << text;
  }
  EXPECT_EQ(update_refused(""), "The expression can not be empty;");
}

TEST(UpdateParserTest, ReportsStaticProblemsInOrder) {
  const std::pair<const char*, const char*> cases[] = {
      {" set #c = :c set abOrt = true ",
       "Attribute name is a reserved keyword; reserved keyword: abOrt"},
      {" remove Absolute ", "Attribute name is a reserved keyword; reserved keyword: Absolute"},
      {"set #c = if_not_exist(:c) set c = d", "Invalid function name; function: if_not_exist"},
      {"SET a = LIST_APPEND(b, c)", "Invalid function name; function: LIST_APPEND"},
      {"SET a = size(b)", "The function is not allowed in an update expression; function: size"},
      {"SET a = list_append(list_append(b, c), d)",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"set a = #c set c = :d",
       "The \"SET\" section can only be used once in an update expression;"},
      {"remove #d set a = b remove e",
       "The \"REMOVE\" section can only be used once in an update expression;"},
      {"add #d :e set a = b add e :f",
       "The \"ADD\" section can only be used once in an update expression;"},
      {"delete #d :e set a = b delete #e :f",
       "The \"DELETE\" section can only be used once in an update expression;"},
      {"SET a = ((b))", "The expression has redundant parentheses;"},
      {"SET a = ((b + c))", "The expression has redundant parentheses;"},
      {"SET a = ((b)) + c", "The expression has redundant parentheses;"},
      {"SET a = b + ((c))", "The expression has redundant parentheses;"},
      {"SET a = list_append(((b)), c)", "The expression has redundant parentheses;"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(update_refused(text), message) << text;
}

TEST(UpdateParserTest, LimitsSizeAndOperators) {
  EXPECT_EQ(update_refused("REMOVE " + std::string(4090, 'a')),
            "Expression size has exceeded the maximum allowed size;");
  std::string sums = "SET a=a+a";
  for (int i = 1; i < 300; ++i) sums += ",a=a+a";
  EXPECT_EQ(update_refused(sums), "");
  EXPECT_EQ(update_refused(sums + ",a=a+a"),
            "The expression contains too many operators; operator count: 301");
}

TEST(UpdateParserTest, SurvivesDeepNesting) {
  const std::string open(4000, '(');
  EXPECT_EQ(update_refused("SET a = " + open), "Syntax error; token: \"<EOF>\", near: \"(\"");
  std::string calls;
  for (int i = 0; i < 2000; ++i) calls += "f(";
  EXPECT_EQ(update_refused("SET a = " + calls), "Syntax error; token: \"<EOF>\", near: \"(\"");
}

}  // namespace
}  // namespace magneto::expressions
