#include "expressions/token_cursor.h"

#include <gtest/gtest.h>

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

std::string failure_at(std::string_view text, int tokens) {
  return ExpressionRequest::message_of([&] {
    TokenCursor cursor(text, TokenCursor::SizeReport::kWithSize);
    for (int i = 0; i < tokens; ++i) cursor.next();
    cursor.fail();
  });
}

TEST(TokenCursorTest, ShowsTheTokensAroundASyntaxError) {
  EXPECT_EQ(failure_at("INVALID  SYNTAX HERE", 0),
            "Syntax error; token: \"INVALID\", near: \"INVALID  SYNTAX\"");
  EXPECT_EQ(failure_at("a = = b", 2), "Syntax error; token: \"=\", near: \"= = b\"");
  EXPECT_EQ(failure_at("ADD hits : incr", 2), "Syntax error; token: \":\", near: \"hits : incr\"");
  EXPECT_EQ(failure_at("a b  ", 1), "Syntax error; token: \"b\", near: \"a b\"");
  EXPECT_EQ(failure_at("foo", 1), "Syntax error; token: \"<EOF>\", near: \"foo\"");
  EXPECT_EQ(failure_at("f(  ", 2), "Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(failure_at("!!!", 0), "Syntax error; token: \"!\", near: \"!!\"");
  EXPECT_EQ(failure_at(" \t ", 0), "Syntax error; token: \"<EOF>\", near: \" \t \"");
}

TEST(TokenCursorTest, LimitsTheSize) {
  const std::string longest(kMaxExpressionSize, 'a');
  EXPECT_NO_THROW(TokenCursor(longest, TokenCursor::SizeReport::kWithSize));
  EXPECT_EQ(ExpressionRequest::message_of(
                [&] { TokenCursor(longest + "a", TokenCursor::SizeReport::kWithSize); }),
            "Expression size has exceeded the maximum allowed size; expression size: 4097");
  EXPECT_EQ(ExpressionRequest::message_of(
                [&] { TokenCursor(longest + "a", TokenCursor::SizeReport::kWithoutSize); }),
            "Expression size has exceeded the maximum allowed size;");
  EXPECT_EQ(
      ExpressionRequest::message_of([] { TokenCursor("", TokenCursor::SizeReport::kWithSize); }),
      "The expression can not be empty;");
}

std::string problem_with_path(std::string_view text) {
  return ExpressionRequest::message_of([&] {
    SyntaxTree tree;
    TokenCursor cursor(text, TokenCursor::SizeReport::kWithSize);
    cursor.take_path(tree);
    cursor.finish();
  });
}

TEST(TokenCursorTest, ReadsPaths) {
  SyntaxTree tree;
  TokenCursor cursor("a . #b[ 10 ] [0].c", TokenCursor::SizeReport::kWithSize);
  const Node& path = tree.node(cursor.take_path(tree));
  EXPECT_NO_THROW(cursor.finish());
  const PathElement expected[] = {PathElement::member("a"), PathElement::placeholder("#b"),
                                  PathElement::element(10), PathElement::element(0),
                                  PathElement::member("c")};
  ASSERT_EQ(tree.path(path).size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(tree.path(path)[i], expected[i]) << i;
  }
}

TEST(TokenCursorTest, NotesTheFirstProblemOfAPath) {
  EXPECT_EQ(problem_with_path("l[4294967294]"), "");
  EXPECT_EQ(problem_with_path("l[4294967295]"),
            "List index is not within the allowable range; index: [4294967295]");
  EXPECT_EQ(problem_with_path("l[99999999999999999999]"),
            "List index is not within the allowable range; index: [99999999999999999999]");
  EXPECT_EQ(problem_with_path("a.abORt"),
            "Attribute name is a reserved keyword; reserved keyword: abORt");
  EXPECT_EQ(problem_with_path("a.zone[99999999999].abort"),
            "Attribute name is a reserved keyword; reserved keyword: zone");
  EXPECT_EQ(problem_with_path("#abort.b"), "");
  EXPECT_EQ(problem_with_path("a[#b]"), "Syntax error; token: \"#b\", near: \"[#b]\"");
  EXPECT_EQ(problem_with_path("a[01]"), "Syntax error; token: \"1\", near: \"01]\"");
  EXPECT_EQ(problem_with_path("a..b"), "Syntax error; token: \".\", near: \"..b\"");
}

TEST(TokenCursorTest, CountsOperators) {
  TokenCursor cursor("a", TokenCursor::SizeReport::kWithSize);
  cursor.next();
  for (std::size_t i = 0; i < kMaxOperators; ++i) cursor.count_operator();
  EXPECT_NO_THROW(cursor.finish());
  cursor.count_operator();
  EXPECT_EQ(ExpressionRequest::message_of([&] { cursor.finish(); }),
            "The expression contains too many operators; operator count: 301");
}

}  // namespace
}  // namespace magneto::expressions
