#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expressions/lexer.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// Walks over the tokens of one expression. The text must outlive the cursor and the trees built
// from it.
//
// DynamoDB reports a syntax error before any other problem. Of the problems that need neither names
// nor values (reserved words, list indexes, function names and uses), it reports the one that comes
// first in the text. The cursor keeps that first problem until the whole text has been read.
class TokenCursor {
 public:
  // Throws ExpressionError if `text` is empty or longer than kMaxExpressionSize. Only for an
  // UpdateExpression does the message omit the size.
  enum class SizeReport { kWithSize, kWithoutSize };
  TokenCursor(std::string_view text, SizeReport report);

  const Token& peek(std::size_t ahead = 0) const;
  Token next();
  bool take_if(TokenType type);
  Token expect(TokenType type);
  std::string_view text_of(const Token& token) const;

  // Throws the syntax error at the next token. The message shows the token, and the text from the
  // token before it to the token after it (captured facts, "Syntax error; token").
  [[noreturn]] void fail() const;

  // Takes a name or '#' placeholder, then any number of ".name" and "[index]".
  NodeIndex take_path(SyntaxTree& tree);

  void record_problem(std::uint32_t offset, std::string message);
  void count_operator() { ++operators_; }

  // Requires the end of the text. Throws the first noted problem; otherwise, an excess of
  // operators.
  void finish() const;

 private:
  void record_reserved_word(const Token& token);
  PathElement take_index();

  std::string_view text_;
  TokenList tokens_;
  std::size_t at_ = 0;
  std::size_t operators_ = 0;
  std::uint32_t problem_offset_ = 0;
  std::optional<std::string> problem_;
};

}  // namespace magneto::expressions
