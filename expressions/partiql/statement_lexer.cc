#include "expressions/partiql/statement_lexer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "expressions/expression_error.h"
#include "expressions/partiql/ion_literal.h"
#include "expressions/partiql/messages.h"
#include "expressions/partiql/statement_words.h"
#include "storage/model/narrow.h"
#include "storage/model/number.h"

namespace magneto::expressions {

namespace {

using Type = StatementTokenType;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Sign {
  std::string_view text;
  Type type;
  std::string_view meaning = {};  // of an operator with another canonical spelling
};

// Longer signs come first.
constexpr std::array kSigns = std::to_array<Sign>({
    {"<=", Type::kOperator},
    {"<>", Type::kOperator},
    {"<<", Type::kOpenBag},
    {">=", Type::kOperator},
    {">>", Type::kCloseBag},
    {"||", Type::kOperator},
    {"!=", Type::kOperator, "<>"},
    {"<", Type::kOperator},
    {">", Type::kOperator},
    {"=", Type::kOperator},
    {"+", Type::kOperator},
    {"-", Type::kOperator},
    {"/", Type::kOperator},
    {"%", Type::kOperator},
    {"@", Type::kOperator},
    {"*", Type::kStar},
    {"(", Type::kOpenParenthesis},
    {")", Type::kCloseParenthesis},
    {"[", Type::kOpenBracket},
    {"]", Type::kCloseBracket},
    {"{", Type::kOpenBrace},
    {"}", Type::kCloseBrace},
    {",", Type::kComma},
    {":", Type::kColon},
    {".", Type::kDot},
    {";", Type::kSemicolon},
    {"?", Type::kParameter},
});

constexpr std::array kWords = std::to_array<Sign>({
    {"true", Type::kTrue},
    {"false", Type::kFalse},
    {"null", Type::kNull},
    {"missing", Type::kMissing},
    {"as", Type::kAs},
    {"at", Type::kAt},
    {"by", Type::kBy},
    {"for", Type::kFor},
    {"asc", Type::kAsc},
    {"desc", Type::kDesc},
    {"nulls", Type::kNulls},
    {"first", Type::kFirst},
    {"last", Type::kLast},
});

class StatementLexer {
 public:
  explicit StatementLexer(std::string_view text) : text_(text) {}

  StatementTokens run() {
    for (;;) {
      skip_separators();
      if (at_ == text_.size()) break;
      take_token();
    }
    tokens_.list.push_back({Type::kEnd, {}, line_, column_, 0});
    return std::move(tokens_);
  }

 private:
  bool starts_with(std::string_view sign) const { return text_.substr(at_).starts_with(sign); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Advances by `count` bytes; a line ends with LF, CR or both.
  void advance(std::size_t count) {
    for (const std::size_t end = at_ + count; at_ < end; ++at_) {
      const char c = text_[at_];
      if (c == '\n' || (c == '\r' && peek(1) != '\n')) {
        ++line_;
        column_ = 1;
      } else if (c != '\r' && (static_cast<unsigned char>(c) & 0xC0) != 0x80) {
        ++column_;
      }
    }
  }

  void skip_separators() {
    for (;;) {
      if (at_ < text_.size() && is_white_space(text_[at_])) {
        advance(1);
      } else if (starts_with("--")) {
        const std::size_t end = text_.find_first_of("\r\n", at_);
        advance(std::min(end, text_.size()) - at_);
      } else if (starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) throw_malformed_statement(messages::kMalformed);
        advance(end + 2 - at_);
      } else {
        return;
      }
    }
  }

  void take_token() {
    const char c = text_[at_];
    if (is_identifier_start(c)) {
      take_word();
    } else if (is_decimal(c) || (c == '.' && is_decimal(peek(1)))) {
      take_number();
    } else if (c == '\'' || c == '"') {
      take_quoted(c);
    } else if (c == '`') {
      take_ion();
    } else {
      take_sign();
    }
  }

  // Adds the token of the next `size` bytes, with its position for messages.
  void push(Type type, std::string_view text, std::size_t size) {
    StatementToken token{type, text, line_, column_, 0};
    const std::size_t begin = at_;
    advance(size);
    const std::string_view shown = text_.substr(begin, size);
    token.length =
        storage::narrow<std::uint32_t>(std::count_if(shown.begin(), shown.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        }));
    if (!merge(token)) tokens_.list.push_back(token);
  }

  // Joins the token with the word before it if the two belong together.
  bool merge(const StatementToken& token) {
    if (token.type != Type::kKeyword && token.type != Type::kOperator) return false;
    if (tokens_.list.empty()) return false;
    StatementToken& before = tokens_.list.back();
    if (before.type != Type::kKeyword && before.type != Type::kOperator) return false;
    const std::string_view merged = find_merged_word(before.text, token.text);
    if (merged.empty()) return false;
    before.text = merged;
    before.type = infix_precedence(merged) != 0 ? Type::kOperator : Type::kKeyword;
    return true;
  }

  // Whether the next word names the table that a statement changes: there MISSING is a name like
  // others (captured facts 3, P57).
  bool is_behind_table_word() const {
    const auto& list = tokens_.list;
    if (list.empty()) return false;
    if (list.back().is_word("insert_into") || list.back().is_word("update")) return true;
    return list.size() > 1 && list.back().is_word("from") && list.rbegin()[1].is_word("delete");
  }

  void take_word() {
    std::size_t size = 1;
    while (is_identifier_start(peek(size)) || is_decimal(peek(size))) ++size;
    const std::string_view text = text_.substr(at_, size);
    std::array<char, kLongestWord> buffer;
    if (size > buffer.size()) return push(Type::kIdentifier, text, size);
    std::transform(text.begin(), text.end(), buffer.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const std::string_view lower(buffer.data(), size);
    for (const Sign& word : kWords) {
      if (word.text != lower) continue;
      if (word.type == Type::kMissing && is_behind_table_word()) break;
      return push(word.type, word.text, size);
    }
    if (const std::string_view word = find_operator_word(lower); !word.empty()) {
      return push(Type::kOperator, word, size);
    }
    if (const std::string_view word = find_keyword(lower); !word.empty()) {
      return push(Type::kKeyword, word, size);
    }
    push(Type::kIdentifier, text, size);
  }

  std::size_t skip_digits(std::size_t size) const {
    while (is_decimal(peek(size))) ++size;
    return size;
  }

  void take_number() {
    std::size_t size = skip_digits(0);
    if (peek(size) == '.') {
      size = skip_digits(size + 1);
      if (peek(size - 1) == '.' && peek(size) == '.')
        throw_malformed_statement(messages::kMalformed);
    }
    if (peek(size) == 'e' || peek(size) == 'E') {
      ++size;
      if (peek(size) == '+' || peek(size) == '-') ++size;
      if (!is_decimal(peek(size))) throw_malformed_statement(messages::kMalformed);
      size = skip_digits(size);
    }
    const std::string_view text = text_.substr(at_, size);
    if (storage::java_exponent(text) == storage::JavaExponent::kUnreadable) {
      throw_malformed_statement(messages::kMalformed);
    }
    push(Type::kNumber, text, size);
  }

  void take_quoted(char quote) {
    std::size_t size = 1;
    bool has_doubled = false;
    for (;; ++size) {
      if (at_ + size >= text_.size()) throw_malformed_statement(messages::kMalformed);
      if (peek(size) != quote) continue;
      if (peek(size + 1) != quote) break;
      has_doubled = true;
      ++size;
    }
    std::string_view text = text_.substr(at_ + 1, size - 1);
    if (has_doubled) {
      std::string& single = tokens_.unescaped.emplace_front();
      for (std::size_t i = 0; i < text.size(); ++i) {
        single += text[i];
        if (text[i] == quote) ++i;
      }
      text = single;
    }
    push(quote == '"' ? Type::kQuotedIdentifier : Type::kString, text, size + 1);
  }

  void take_ion() {
    const IonLiteral literal = read_ion_literal(text_.substr(at_));
    if (literal.size == 0) throw_malformed_statement(messages::kMalformed);
    push(Type::kIon, literal.kind, literal.size);
  }

  void take_sign() {
    for (const Sign& sign : kSigns) {
      if (!starts_with(sign.text)) continue;
      push(sign.type, sign.meaning.empty() ? sign.text : sign.meaning, sign.text.size());
      return;
    }
    throw_malformed_statement(messages::kMalformed);
  }

  static constexpr std::size_t kLongestWord = 32;

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  StatementTokens tokens_;
};

}  // namespace

StatementTokens lex_statement(std::string_view statement) {
  return StatementLexer(statement).run();
}

void throw_malformed_statement(std::string_view message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

std::string location_text(const StatementToken& token) {
  return std::to_string(token.line) + ':' + std::to_string(token.column) + ':' +
         std::to_string(token.length);
}

}  // namespace magneto::expressions
