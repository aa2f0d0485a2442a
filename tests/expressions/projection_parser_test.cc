#include "expressions/projection_parser.h"

#include <gtest/gtest.h>

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

std::string projection_refused(std::string_view text) {
  return ExpressionRequest::message_of([&] { parse_projection(text); });
}

TEST(ProjectionParserTest, ReadsPaths) {
  const auto parsed = parse_projection("a, #b.c[2] ,d[0][1]");
  ASSERT_EQ(parsed->tree.size(), 3u);
  EXPECT_EQ(parsed->tree.path(parsed->tree.node(1)).size(), 3u);
}

TEST(ProjectionParserTest, ReportsProblems) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "The expression can not be empty;"},
      {"!!!", "Syntax error; token: \"!\", near: \"!!\""},
      {"whatever(stuff)", "Syntax error; token: \"(\", near: \"whatever(stuff\""},
      {":a", "Syntax error; token: \":a\", near: \":a\""},
      {"abort,", "Syntax error; token: \"<EOF>\", near: \",\""},
      {"a,,b", "Syntax error; token: \",\", near: \",,b\""},
      {"a[b]", "Syntax error; token: \"b\", near: \"[b]\""},
      {"(a.b).c", "Syntax error; token: \"(\", near: \"(a\""},
      {"a-b", "Syntax error; token: \"-\", near: \"a-b\""},
      {"a b", "Syntax error; token: \"b\", near: \"a b\""},
      {"and", "Syntax error; token: \"and\", near: \"and\""},
      {"a.abORt", "Attribute name is a reserved keyword; reserved keyword: abORt"},
      {"#a,ABSoLUTE", "Attribute name is a reserved keyword; reserved keyword: ABSoLUTE"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(projection_refused(text), message) << text;
  EXPECT_EQ(projection_refused(std::string(4097, 'a')),
            "Expression size has exceeded the maximum allowed size; expression size: 4097");
}

}  // namespace
}  // namespace magneto::expressions
