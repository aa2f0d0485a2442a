#include "expressions/token_cursor.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "expressions/expression_error.h"
#include "expressions/messages.h"
#include "expressions/reserved_words.h"

namespace magneto::expressions {

namespace {

constexpr std::uint32_t kMaxListIndex = 4'294'967'294;

TokenList lex_checked(std::string_view text, TokenCursor::SizeReport report) {
  if (text.empty()) throw ExpressionError(messages::kEmptyExpression);
  if (text.size() > kMaxExpressionSize) {
    if (report == TokenCursor::SizeReport::kWithSize) {
      throw ExpressionError(messages::long_expression(text.size()));
    }
    throw ExpressionError(messages::kLongExpression);
  }
  return lex(text);
}

}  // namespace

TokenCursor::TokenCursor(std::string_view text, SizeReport report)
    : text_(text), tokens_(lex_checked(text, report)) {}

const Token& TokenCursor::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token TokenCursor::next() {
  const Token token = peek();
  if (token.type != TokenType::kEnd) ++at_;
  return token;
}

bool TokenCursor::take_if(TokenType type) {
  if (peek().type != type) return false;
  next();
  return true;
}

Token TokenCursor::expect(TokenType type) {
  if (peek().type != type) fail();
  return next();
}

std::string_view TokenCursor::text_of(const Token& token) const {
  return text_.substr(token.begin, token.end - token.begin);
}

void TokenCursor::fail() const {
  const Token& token = peek();
  // A text of white space alone is shown whole.
  if (at_ == 0 && token.type == TokenType::kEnd) {
    throw ExpressionError(messages::syntax_error("<EOF>", text_));
  }
  const std::uint32_t begin = at_ > 0 ? tokens_[at_ - 1].begin : token.begin;
  std::uint32_t end = peek(1).end;
  // Only white space may follow the last token, and it is not shown.
  if (peek(1).type == TokenType::kEnd) end = token.end;
  if (token.type == TokenType::kEnd) end = tokens_[at_ - 1].end;
  const std::string_view shown = token.type == TokenType::kEnd ? "<EOF>" : text_of(token);
  throw ExpressionError(messages::syntax_error(shown, text_.substr(begin, end - begin)));
}

NodeIndex TokenCursor::take_path(SyntaxTree& tree) {
  absl::InlinedVector<PathElement, 4> path;
  const auto take_name = [&] {
    const Token token = peek();
    if (token.type == TokenType::kNamePlaceholder) {
      path.push_back(PathElement::placeholder(text_of(token)));
    } else if (token.type == TokenType::kIdentifier) {
      record_reserved_word(token);
      path.push_back(PathElement::member(text_of(token)));
    } else {
      fail();
    }
    next();
  };
  take_name();
  for (;;) {
    if (take_if(TokenType::kDot)) {
      take_name();
    } else if (take_if(TokenType::kOpenBracket)) {
      path.push_back(take_index());
    } else {
      return tree.add_path(path);
    }
  }
}

PathElement TokenCursor::take_index() {
  const Token token = expect(TokenType::kIndex);
  expect(TokenType::kCloseBracket);
  const std::string_view digits = text_of(token);
  std::uint32_t index = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (result.ec != std::errc() || index > kMaxListIndex) {
    record_problem(token.begin, "List index is not within the allowable range; index: [" +
                                    std::string(digits) + "]");
  }
  return PathElement::element(index);
}

void TokenCursor::record_reserved_word(const Token& token) {
  const std::string_view name = text_of(token);
  if (is_reserved_word(name)) {
    record_problem(token.begin,
                   "Attribute name is a reserved keyword; reserved keyword: " + std::string(name));
  }
}

void TokenCursor::record_problem(std::uint32_t offset, std::string message) {
  if (problem_ && problem_offset_ <= offset) return;
  problem_offset_ = offset;
  problem_ = std::move(message);
}

void TokenCursor::finish() const {
  if (peek().type != TokenType::kEnd) fail();
  if (problem_) throw ExpressionError(*problem_);
  if (operators_ > kMaxOperators) {
    throw ExpressionError(messages::too_many_operators(kMaxOperators + 1));
  }
}

}  // namespace magneto::expressions
