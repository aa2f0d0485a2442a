#include "expressions/lexer.h"

#include <array>
#include <utility>

#include "storage/model/narrow.h"

namespace magneto::expressions {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

constexpr std::array<std::pair<std::string_view, TokenType>, 9> kKeywords = {{
    {"AND", TokenType::kAnd},
    {"OR", TokenType::kOr},
    {"NOT", TokenType::kNot},
    {"BETWEEN", TokenType::kBetween},
    {"IN", TokenType::kIn},
    {"SET", TokenType::kSet},
    {"REMOVE", TokenType::kRemove},
    {"ADD", TokenType::kAdd},
    {"DELETE", TokenType::kDelete},
}};

TokenType word_type(std::string_view word) {
  for (const auto& [keyword, type] : kKeywords) {
    if (word.size() != keyword.size()) continue;
    std::size_t same = 0;
    while (same < word.size() && (word[same] & ~0x20) == keyword[same]) ++same;
    if (same == word.size()) return type;
  }
  return TokenType::kIdentifier;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  TokenList run() {
    while (skip_space()) {
      const std::size_t begin = at_;
      const TokenType type = take();
      add(type, begin);
    }
    add(TokenType::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  bool skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    return at_ < text_.size();
  }

  void add(TokenType type, std::size_t begin) {
    tokens_.push_back(
        {type, storage::narrow<std::uint32_t>(begin), storage::narrow<std::uint32_t>(at_)});
  }

  TokenType take() {
    const std::size_t begin = at_;
    const char c = text_[at_++];
    if (is_letter(c)) {
      skip_name();
      return word_type(text_.substr(begin, at_ - begin));
    }
    if (c == '#' || c == ':') {
      skip_name();
      if (at_ == begin + 1) return TokenType::kUnknown;
      return c == '#' ? TokenType::kNamePlaceholder : TokenType::kValuePlaceholder;
    }
    if (is_digit(c)) {
      while (c != '0' && at_ < text_.size() && is_digit(text_[at_])) ++at_;
      return TokenType::kIndex;
    }
    return take_symbol(c);
  }

  void skip_name() {
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
  }

  bool take_if(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  TokenType take_symbol(char c) {
    switch (c) {
      case '=':
        return TokenType::kEqual;
      case '<':
        if (take_if('>')) return TokenType::kNotEqual;
        return take_if('=') ? TokenType::kLessOrEqual : TokenType::kLess;
      case '>':
        return take_if('=') ? TokenType::kGreaterOrEqual : TokenType::kGreater;
      case '+':
        return TokenType::kPlus;
      case '-':
        return TokenType::kMinus;
      case '(':
        return TokenType::kOpenParenthesis;
      case ')':
        return TokenType::kCloseParenthesis;
      case '[':
        return TokenType::kOpenBracket;
      case ']':
        return TokenType::kCloseBracket;
      case ',':
        return TokenType::kComma;
      case '.':
        return TokenType::kDot;
      default:
        while (at_ < text_.size() && is_continuation(text_[at_])) ++at_;
        return TokenType::kUnknown;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  TokenList tokens_;
};

}  // namespace

TokenList lex(std::string_view text) { return Lexer(text).run(); }

}  // namespace magneto::expressions
