#include "expressions/partiql/statement_lexer.h"

#include <gtest/gtest.h>

#include "tests/expressions/expression_request.h"
#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

using Type = StatementTokenType;

std::vector<std::string> texts(std::string_view statement) {
  const StatementTokens tokens = lex_statement(statement);
  std::vector<std::string> result;
  for (const StatementToken& token : tokens.list) {
    if (token.type != Type::kEnd) result.emplace_back(token.text);
  }
  return result;
}

std::vector<Type> types(std::string_view statement) {
  std::vector<Type> result;
  for (const StatementToken& token : lex_statement(statement).list) result.push_back(token.type);
  return result;
}

bool is_refused(std::string_view statement) {
  const std::string message = ExpressionRequest::message_of([&] { lex_statement(statement); },
                                                            ExpressionError::Scope::kRequest);
  if (!message.empty()) {
    EXPECT_EQ(message, malformed());
  }
  return !message.empty();
}

using Texts = std::vector<std::string>;

TEST(StatementLexerTest, TellsKindsOfTokensApart) {
  EXPECT_EQ(types("name \"name\" 'text' 1.5 true NULL Missing ? * select <= << >> ( ] } , : . ;"),
            (std::vector<Type>{Type::kIdentifier,   Type::kQuotedIdentifier,
                               Type::kString,       Type::kNumber,
                               Type::kTrue,         Type::kNull,
                               Type::kMissing,      Type::kParameter,
                               Type::kStar,         Type::kKeyword,
                               Type::kOperator,     Type::kOpenBag,
                               Type::kCloseBag,     Type::kOpenParenthesis,
                               Type::kCloseBracket, Type::kCloseBrace,
                               Type::kComma,        Type::kColon,
                               Type::kDot,          Type::kSemicolon,
                               Type::kEnd}));
}

TEST(StatementLexerTest, WordsOfTheGrammarMayHaveAnyCase) {
  EXPECT_EQ(texts("SeLeCt Name AND nOt iN"), (Texts{"select", "Name", "and", "not_in"}));
  EXPECT_EQ(texts("INSERT INTO is NOT all new"), (Texts{"insert_into", "is_not", "all_new"}));
  EXPECT_EQ(texts("a!=b"), (Texts{"a", "<>", "b"}));
}

TEST(StatementLexerTest, MissingIsANameWhereATableIsChanged) {
  for (const std::string_view start : {"INSERT INTO ", "update ", "DELETE FROM "}) {
    const std::string statement = std::string(start) + "Missing WHERE Missing = 1";
    EXPECT_EQ(types(statement).at(types(start).size() - 1), Type::kIdentifier) << statement;
    EXPECT_EQ(texts(statement).at(texts(start).size()), "Missing");
    EXPECT_EQ(types(statement).at(types(start).size() + 1), Type::kMissing);
  }
  for (const std::string_view statement : {"MISSING", "SELECT * FROM MISSING", "INTO MISSING"}) {
    EXPECT_EQ(types(statement).rbegin()[1], Type::kMissing) << statement;
  }
}

TEST(StatementLexerTest, DoubledQuotesStandForOne) {
  EXPECT_EQ(texts("'it''s' \"a\"\"b\" '' ''''"), (Texts{"it's", "a\"b", "", "'"}));
  EXPECT_EQ(texts("'a--b /*c*/' \"-- d\""), (Texts{"a--b /*c*/", "-- d"}));
}

// Captured facts, "Grammar accepted": comments are white space.
TEST(StatementLexerTest, SkipsComments) {
  EXPECT_EQ(texts("-- one\na -- two\rb/**/c /* * ** */ d --"), (Texts{"a", "b", "c", "d"}));
  EXPECT_EQ(texts("a-b"), (Texts{"a", "-", "b"}));
  EXPECT_EQ(texts("a--1"), (Texts{"a"}));
}

TEST(StatementLexerTest, ReadsNumbers) {
  EXPECT_EQ(texts("0 12 1.5 .5 5. 7.31e+6 731E4 1e-3 1.2.3"),
            (Texts{"0", "12", "1.5", ".5", "5.", "7.31e+6", "731E4", "1e-3", "1.2", ".3"}));
  EXPECT_EQ(texts("-1 a.b l[1].x 1e5foo"),
            (Texts{"-", "1", "a", ".", "b", "l", "[", "1", "]", ".", "x", "1e5", "foo"}));
}

// Captured facts, "Grammar refused": literals and comments that cannot be read have no detail.
TEST(StatementLexerTest, RefusesWhatIsNoToken) {
  for (const char* text : {"1e2147483648", "1e99999999999", "1e-2147483649", "1.5e-2147483647",
                           "1e", "1e+", "1ex", "1..2", "# note", "/* note", "'open", "\"open",
                           "`ion", "`{`", "a ^ b", "a | b", "a ! b", "\x01", "\xC3\xA9"}) {
    EXPECT_TRUE(is_refused(text)) << text;
  }
  for (const char* text : {"1e2147483647", "1e-2147483647", "1.5e-2147483646", "'\xC3\xA9'"}) {
    EXPECT_FALSE(is_refused(text)) << text;
  }
}

// Columns and lengths count characters from 1, quotes included (captured facts, "Functions in
// WHERE").
TEST(StatementLexerTest, KnowsWhereTokensStand) {
  const StatementTokens tokens = lex_statement("ab 'c\xC3\xA9' d\r\n  \"e\" <=\rf\n\ng");
  std::vector<std::string> locations;
  for (const StatementToken& token : tokens.list) locations.push_back(location_text(token));
  EXPECT_EQ(locations,
            (Texts{"1:1:2", "1:4:4", "1:9:1", "2:3:3", "2:7:2", "3:1:1", "5:1:1", "5:2:0"}));
}

}  // namespace
}  // namespace magneto::expressions
