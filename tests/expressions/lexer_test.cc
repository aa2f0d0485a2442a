#include "expressions/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace magneto::expressions {
namespace {

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> result;
  for (const Token& token : lex(text)) {
    result.emplace_back(text.substr(token.begin, token.end - token.begin));
  }
  return result;
}

std::vector<TokenType> types(std::string_view text) {
  std::vector<TokenType> result;
  for (const Token& token : lex(text)) result.push_back(token.type);
  return result;
}

using Texts = std::vector<std::string>;
using Types = std::vector<TokenType>;

TEST(LexerTest, SplitsWithoutSpaces) {
  EXPECT_EQ(texts("a.b[10]<>:v AND(#n<=c)"), (Texts{"a", ".", "b", "[", "10", "]", "<>", ":v",
                                                    "AND", "(", "#n", "<=", "c", ")", ""}));
  EXPECT_EQ(texts(" \t\r\n"), Texts{""});
  EXPECT_EQ(texts("a<=>=<b"), (Texts{"a", "<=", ">=", "<", "b", ""}));
}

TEST(LexerTest, KnowsKeywordsInAnyCase) {
  EXPECT_EQ(
      types("and Or nOT BETWEEN in sEt remove ADD Delete ands inn"),
      (Types{TokenType::kAnd, TokenType::kOr, TokenType::kNot, TokenType::kBetween, TokenType::kIn,
             TokenType::kSet, TokenType::kRemove, TokenType::kAdd, TokenType::kDelete,
             TokenType::kIdentifier, TokenType::kIdentifier, TokenType::kEnd}));
}

TEST(LexerTest, ReadsPlaceholders) {
  EXPECT_EQ(types("#1a :_ # :"),
            (Types{TokenType::kNamePlaceholder, TokenType::kValuePlaceholder, TokenType::kUnknown,
                   TokenType::kUnknown, TokenType::kEnd}));
}

TEST(LexerTest, ReadsIndexesWithoutLeadingZeros) {
  EXPECT_EQ(texts("0 10 007 1a"), (Texts{"0", "10", "0", "0", "7", "1", "a", ""}));
  EXPECT_EQ(types("0 10"), (Types{TokenType::kIndex, TokenType::kIndex, TokenType::kEnd}));
}

TEST(LexerTest, TakesOtherCharactersOneByOne) {
  EXPECT_EQ(texts("_ab!\"\xC3\xBC\xF0\x9F\x98\x80x"),
            (Texts{"_", "ab", "!", "\"", "\xC3\xBC", "\xF0\x9F\x98\x80", "x", ""}));
  EXPECT_EQ(types("\xC3\xBC"), (Types{TokenType::kUnknown, TokenType::kEnd}));
}

}  // namespace
}  // namespace magneto::expressions
