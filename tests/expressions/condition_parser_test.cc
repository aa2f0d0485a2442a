#include "expressions/condition_parser.h"

#include <gtest/gtest.h>

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

std::string shown(const SyntaxTree& tree, const Node& node) {
  if (node.kind == NodeKind::kValue) return std::string(node.text);
  std::string text;
  if (node.kind == NodeKind::kPath) {
    for (const PathElement& element : tree.path(node)) {
      if (element.is_index()) {
        text += '[' + std::to_string(element.index) + ']';
      } else {
        text += (text.empty() ? "" : ".") + std::string(element.name);
      }
    }
    return text;
  }
  text = '(' + std::string(operator_text(node.kind));
  for (std::size_t i = 0; i < node.count; ++i) text += ' ' + shown(tree, tree.operand(node, i));
  return text + ')';
}

std::string parsed(std::string_view text) {
  const auto condition = parse_condition(text);
  return shown(condition->tree, condition->tree.node(condition->tree.root()));
}

std::string condition_refused(std::string_view text) {
  return ExpressionRequest::message_of([&] { parse_condition(text); });
}

TEST(ConditionParserTest, BuildsTrees) {
  EXPECT_EQ(parsed("a = :v"), "(= a :v)");
  EXPECT_EQ(parsed("a.b[1] <> #c.d"), "(<> a.b[1] #c.d)");
  EXPECT_EQ(parsed(":v>=a"), "(>= :v a)");
  EXPECT_EQ(parsed("a BETWEEN :x AND b"), "(BETWEEN a :x b)");
  EXPECT_EQ(parsed("a in(:x,b , :z)"), "(IN a :x b :z)");
  EXPECT_EQ(parsed("attribute_exists (a)"), "(attribute_exists a)");
  EXPECT_EQ(parsed("size(a) < size(b)"), "(< (size a) (size b))");
  EXPECT_EQ(parsed("begins_with(a, (:p))"), "(begins_with a :p)");
}

TEST(ConditionParserTest, KnowsPrecedence) {
  EXPECT_EQ(parsed("a=b OR c=d AND e=f"), "(OR (= a b) (AND (= c d) (= e f)))");
  EXPECT_EQ(parsed("a=b AND c=d OR e=f"), "(OR (AND (= a b) (= c d)) (= e f))");
  EXPECT_EQ(parsed("a=b AND c=d AND e=f"), "(AND (= a b) (= c d) (= e f))");
  EXPECT_EQ(parsed("NOT a=b AND c=d"), "(AND (NOT (= a b)) (= c d))");
  EXPECT_EQ(parsed("NOT NOT attribute_exists(a)"), "(NOT (NOT (attribute_exists a)))");
  EXPECT_EQ(parsed("a BETWEEN b AND c AND d = e"), "(AND (BETWEEN a b c) (= d e))");
  EXPECT_EQ(parsed("NOT a BETWEEN b AND c OR d = e"), "(OR (NOT (BETWEEN a b c)) (= d e))");
  EXPECT_EQ(parsed("(a=b OR c=d) AND e=f"), "(AND (OR (= a b) (= c d)) (= e f))");
  EXPECT_EQ(parsed("NOT (a=b OR c=d)"), "(NOT (OR (= a b) (= c d)))");
  EXPECT_EQ(parsed("a=b AND (c=d AND e=f)"), "(AND (= a b) (AND (= c d) (= e f)))");
}

TEST(ConditionParserTest, TakesParenthesesAroundOperandsAndConditions) {
  EXPECT_EQ(parsed("(a) = (:v)"), "(= a :v)");
  EXPECT_EQ(parsed("((a) = (:v))"), "(= a :v)");
  EXPECT_EQ(parsed("(size((a))) > b"), "(> (size a) b)");
  EXPECT_EQ(parsed("((size(a)) > b)"), "(> (size a) b)");
  EXPECT_EQ(parsed("((attribute_exists(a)) AND (b = c))"), "(AND (attribute_exists a) (= b c))");
  EXPECT_EQ(parsed("(NOT (a = b))"), "(NOT (= a b))");
  EXPECT_EQ(parsed("(a) BETWEEN (b) AND (c)"), "(BETWEEN a b c)");
  EXPECT_EQ(parsed("(a) IN ((b), (c))"), "(IN a b c)");
}

struct ParserRefusal {
  const char* text;
  const char* message;
};

TEST(ConditionParserTest, ReportsSyntaxErrors) {
  const ParserRefusal cases[] = {
      {"foo", "Syntax error; token: \"<EOF>\", near: \"foo\""},
      {"a = = b", "Syntax error; token: \"=\", near: \"= = b\""},
      {"attribute_not_exists(", "Syntax error; token: \"<EOF>\", near: \"(\""},
      {"attribute_exists()", "Syntax error; token: \")\", near: \"()\""},
      {"things are not gonna be ok", "Syntax error; token: \"are\", near: \"things are not\""},
      {"a > 4", "Syntax error; token: \"4\", near: \"> 4\""},
      {"a in b, c", "Syntax error; token: \"b\", near: \"in b,\""},
      {"a in (b,c,)", "Syntax error; token: \")\", near: \",)\""},
      {"a IN ()", "Syntax error; token: \")\", near: \"()\""},
      {"a > between", "Syntax error; token: \"between\", near: \"> between\""},
      {"(a)between(b.(c.d))and(c)", "Syntax error; token: \"(\", near: \".(c\""},
      {"(a)between(b.c.d)and((c)", "Syntax error; token: \"<EOF>\", near: \")\""},
      {"#$.b > a", "Syntax error; token: \"#\", near: \"#$\""},
      {"a > :things.stuff", "Syntax error; token: \".\", near: \":things.stuff\""},
      {"a.:a < b", "Syntax error; token: \":a\", near: \".:a <\""},
      {"size(a).b > a", "Syntax error; token: \".\", near: \").b\""},
      {"(size(a))[0] > a", "Syntax error; token: \"[\", near: \")[0\""},
      {"(b.c).d = a", "Syntax error; token: \".\", near: \").d\""},
      {"_a = b", "Syntax error; token: \"_\", near: \"_a\""},
      {"a = b AND", "Syntax error; token: \"<EOF>\", near: \"AND\""},
      {"a = b AND c", "Syntax error; token: \"<EOF>\", near: \"c\""},
      {"a = b c", "Syntax error; token: \"c\", near: \"b c\""},
      {"a = b = c", "Syntax error; token: \"=\", near: \"b = c\""},
      {"a BETWEEN b", "Syntax error; token: \"<EOF>\", near: \"b\""},
      {"a BETWEEN b OR c", "Syntax error; token: \"OR\", near: \"b OR c\""},
      {"a BETWEEN b AND c = d", "Syntax error; token: \"=\", near: \"c = d\""},
      {"(a) AND b = c", "Syntax error; token: \"AND\", near: \") AND b\""},
      {"(a = b) = c", "Syntax error; token: \"=\", near: \") = c\""},
      {"(a = b", "Syntax error; token: \"<EOF>\", near: \"b\""},
      {"a = b)", "Syntax error; token: \")\", near: \"b)\""},
      {"f(a = b)", "Syntax error; token: \"=\", near: \"a = b\""},
      {"a = (b = c)", "Syntax error; token: \"=\", near: \"b = c\""},
      {"a = NOT b", "Syntax error; token: \"NOT\", near: \"= NOT b\""},
      {"a, b", "Syntax error; token: \",\", near: \"a, b\""},
      {"SET a = b", "Syntax error; token: \"SET\", near: \"SET a\""},
      {"a + b = c", "Syntax error; token: \"+\", near: \"a + b\""},
      {"\xC3\xBC > a", "Syntax error; token: \"\xC3\xBC\", near: \"\xC3\xBC >\""},
      {"", "The expression can not be empty;"},
  };
  for (const ParserRefusal& refusal : cases)
    EXPECT_EQ(condition_refused(refusal.text), refusal.message);
}

TEST(ConditionParserTest, RefusesRedundantParentheses) {
  for (const char* text :
       {"((a = :v))", "a=a and a > ((views))", "(a)between(((b.c)).d)and(c)",
        "a > whatever((:things), ((a)))", "a=a AND ((a=a AND a=a)) AND a=a",
        "a=a AND ((a=a AND (a=a AND a=a)))", "((a)) = b", "((size(a))) = b",
        "((begins_with(a, b)))", "a = b AND ((attribute_exists(a)))", "NOT ((attribute_exists(a)))",
        "((a)) BETWEEN b AND c", "a BETWEEN b AND ((c))", "a IN (((b)))"}) {
    EXPECT_EQ(condition_refused(text), "The expression has redundant parentheses;") << text;
  }
}

TEST(ConditionParserTest, ReportsTheFirstStaticProblem) {
  const auto misplaced = [](const char* function) {
    return std::string(
               "The function is not allowed to be used this way in an expression; function: ") +
           function;
  };
  const std::pair<const char*, std::string> cases[] = {
      {"a=a and whatever((:things)) > a", "Invalid function name; function: whatever"},
      {"attRIbute_exIsts((views), #a)", "Invalid function name; function: attRIbute_exIsts"},
      {"a=a and attribute_exists((views), (#a)) > b", misplaced("attribute_exists")},
      {"attribute_not_exists(things) > b", misplaced("attribute_not_exists")},
      {"begins_with(things, a) > b", misplaced("begins_with")},
      {"size(contains(a, b)) > a", misplaced("contains")},
      {"size(things)", misplaced("size")},
      {"NOT size(a)", misplaced("size")},
      {"a between b and attribute_exists(things)", misplaced("attribute_exists")},
      {"a in (b, attribute_exists(things))", misplaced("attribute_exists")},
      {"attribute_exists(views, #a)",
       "Attribute name is a reserved keyword; reserved keyword: views"},
      {":a < abOrT", "Attribute name is a reserved keyword; reserved keyword: abOrT"},
      {"if_not_exists(a, b) = c",
       "The function is not allowed in a condition expression; function: if_not_exists"},
      {"a = list_append(a, b)",
       "The function is not allowed in a condition expression; function: list_append"},
      {"abort = b AND size(c)", "Attribute name is a reserved keyword; reserved keyword: abort"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(condition_refused(text), message) << text;
}

std::string repeated_text(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(ConditionParserTest, CountsOperators) {
  const auto nested = [](std::size_t depth) {
    return "a<b " + repeated_text("or (a<b ", depth) + repeated_text(")", depth);
  };
  EXPECT_EQ(condition_refused(nested(149)), "");
  EXPECT_EQ(condition_refused(nested(150)),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(condition_refused(nested(454)),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(condition_refused(repeated_text("NOT ", 299) + "a<b"), "");
  EXPECT_EQ(condition_refused(repeated_text("NOT ", 1000) + "a<b"),
            "The expression contains too many operators; operator count: 301");
}

TEST(ConditionParserTest, SurvivesDeepNesting) {
  EXPECT_EQ(condition_refused(repeated_text("(", 4096)),
            "Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(condition_refused(repeated_text("(", 2046) + "a<b" + repeated_text(")", 2046)),
            "The expression has redundant parentheses;");
  EXPECT_EQ(condition_refused("a < " + repeated_text("f(", 1300) + "b" + repeated_text(")", 1300)),
            "Invalid function name; function: f");
  EXPECT_EQ(condition_refused("a < " + repeated_text("size(", 600) + "b" + repeated_text(")", 600)),
            "The expression contains too many operators; operator count: 301");
}

TEST(ConditionParserTest, RemembersTexts) {
  const auto first = parse_condition("remembered = :v");
  EXPECT_EQ(parse_condition("remembered = :v"), first);
  EXPECT_NE(parse_condition("remembered = :w"), first);
}

}  // namespace
}  // namespace magneto::expressions
