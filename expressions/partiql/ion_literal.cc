#include "expressions/partiql/ion_literal.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <utility>

namespace magneto::expressions {

namespace {

constexpr int kMaxDepth = 100;  // far more than any literal that DynamoDB reads

// Reads Ion's text form (Amazon Ion specification, "Text encoding"). Functions that return a kind
// return an empty text where there is no value.
class IonReader {
 public:
  explicit IonReader(std::string_view text) : text_(text) {}

  IonLiteral literal() {
    at_ = 1;
    const std::string_view kind = value(0);
    skip_blanks();
    if (kind.empty() || !take("`")) return {};
    return {kind, at_};
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool next_is(std::string_view sign) const { return text_.substr(at_).starts_with(sign); }
  bool take(std::string_view sign) {
    if (!next_is(sign)) return false;
    at_ += sign.size();
    return true;
  }

  void skip_blanks() {
    for (;;) {
      if (absl::ascii_isspace(static_cast<unsigned char>(peek()))) {
        ++at_;
      } else if (next_is("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (next_is("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  static bool is_symbol_start(char c) {
    return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$';
  }
  static bool is_digit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

  std::string_view symbol() {
    const std::size_t begin = at_;
    while (is_symbol_start(peek()) || is_digit(peek())) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Reads to the closing `quote`, whose opening one has been taken.
  bool quoted(std::string_view quote) {
    while (at_ < text_.size()) {
      if (take("\\")) {
        at_ = std::min(at_ + 1, text_.size());
      } else if (take(quote)) {
        return true;
      } else {
        ++at_;
      }
    }
    return false;
  }

  bool long_string() {
    if (!next_is("'''")) return false;
    while (take("'''")) {
      if (!quoted("'''")) return false;
      skip_blanks();
    }
    return true;
  }

  // The value at the present position, with its annotations.
  std::string_view value(int depth) {
    if (depth > kMaxDepth) return {};
    for (;;) {
      skip_blanks();
      const std::size_t begin = at_;
      if (!annotation()) {
        at_ = begin;
        return bare_value(depth);
      }
    }
  }

  bool annotation() {
    if (is_symbol_start(peek())) {
      symbol();
    } else if (next_is("'''") || !take("'") || !quoted("'")) {
      return false;
    }
    skip_blanks();
    return take("::");
  }

  std::string_view bare_value(int depth) {
    if (take("{{")) return lob();
    if (take("{")) return structure(depth);
    if (take("[")) return list("]", "LIST", depth);
    if (take("(")) return list(")", "SEXP", depth);
    if (next_is("'''")) return long_string() ? "STRING" : "";
    if (take("\"")) return quoted("\"") ? "STRING" : "";
    if (take("'")) return quoted("'") ? "SYMBOL" : "";
    if (is_symbol_start(peek())) return word();
    return number();
  }

  std::string_view lob() {
    skip_blanks();
    std::string_view kind = "BLOB";
    if (take("\"")) {
      kind = quoted("\"") ? "CLOB" : "";
    } else if (next_is("'''")) {
      kind = long_string() ? "CLOB" : "";
    } else {
      while (absl::ascii_isalnum(static_cast<unsigned char>(peek())) || peek() == '+' ||
             peek() == '/' || peek() == '=' ||
             absl::ascii_isspace(static_cast<unsigned char>(peek()))) {
        ++at_;
      }
    }
    skip_blanks();
    return take("}}") ? kind : "";
  }

  std::string_view structure(int depth) {
    for (;;) {
      skip_blanks();
      if (take("}")) return "STRUCT";
      const bool is_name = next_is("'''")            ? long_string()
                           : take("\"")              ? quoted("\"")
                           : take("'")               ? quoted("'")
                           : is_symbol_start(peek()) ? !symbol().empty()
                                                     : false;
      skip_blanks();
      if (!is_name || !take(":") || value(depth + 1).empty()) return {};
      skip_blanks();
      if (!take(",") && !next_is("}")) return {};
    }
  }

  // Only a list has commas; only an S-expression has operators.
  std::string_view list(std::string_view close, std::string_view kind, int depth) {
    constexpr std::string_view kOperators = "!#%&*+-./;<=>?@^|~";
    const bool has_commas = close == "]";
    for (;;) {
      skip_blanks();
      if (take(close)) return kind;
      if (value(depth + 1).empty()) {
        if (has_commas || kOperators.find(peek()) == std::string_view::npos) return {};
        ++at_;
      }
      skip_blanks();
      if (has_commas && !take(",") && !next_is(close)) return {};
    }
  }

  std::string_view word() {
    const std::string_view name = symbol();
    if (name == "true" || name == "false") return "BOOL";
    if (name == "nan") return "FLOAT";
    if (name != "null") return "SYMBOL";
    if (!take(".")) return "NULL";
    constexpr auto kTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
        {"null", "NULL"},
        {"bool", "BOOL"},
        {"int", "INT"},
        {"float", "FLOAT"},
        {"decimal", "DECIMAL"},
        {"timestamp", "TIMESTAMP"},
        {"string", "STRING"},
        {"symbol", "SYMBOL"},
        {"blob", "BLOB"},
        {"clob", "CLOB"},
        {"struct", "STRUCT"},
        {"list", "LIST"},
        {"sexp", "SEXP"},
    });
    const std::string_view type = symbol();
    for (const auto& [known, kind] : kTypes) {
      if (known == type) return kind;
    }
    return {};
  }

  std::string_view number() {
    if (take("+inf") || take("-inf")) return "FLOAT";
    const std::size_t begin = at_;
    if (const std::string_view kind = timestamp(); !kind.empty()) return kind;
    at_ = begin;
    take("-");
    if (take("0x") || take("0X")) return digits(is_hexadecimal) ? "INT" : "";
    if (take("0b") || take("0B")) return digits(is_binary) ? "INT" : "";
    const bool begins_with_zero = peek() == '0';
    const std::size_t first = at_;
    if (!digits(is_digit)) return {};
    if (begins_with_zero && at_ > first + 1) return {};
    std::string_view kind = "INT";
    if (take(".")) {
      kind = "DECIMAL";
      if (is_digit(peek())) digits(is_digit);
    }
    const char mark = peek();
    if (mark == 'd' || mark == 'D' || mark == 'e' || mark == 'E') {
      kind = mark == 'd' || mark == 'D' ? "DECIMAL" : "FLOAT";
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!digits(is_digit)) return {};
    }
    return is_symbol_start(peek()) ? "" : kind;
  }

  static bool is_hexadecimal(char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); }
  static bool is_binary(char c) { return c == '0' || c == '1'; }

  // At least one digit; single underscores may stand between digits.
  bool digits(bool (*is_one)(char)) {
    if (!is_one(peek())) return false;
    while (is_one(peek()) || (peek() == '_' && is_one(peek(1)))) ++at_;
    return true;
  }

  bool take_digits(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(peek(i))) return false;
    }
    at_ += count;
    return true;
  }

  // 2007T, 2007-02T, 2007-02-23, 2007-02-23T12:14Z, 2007-02-23T12:14:33.079-08:00
  std::string_view timestamp() {
    if (!take_digits(4)) return {};
    if (take("T")) return "TIMESTAMP";
    if (!take("-") || !take_digits(2)) return {};
    if (take("T")) return "TIMESTAMP";
    if (!take("-") || !take_digits(2)) return {};
    if (!take("T") || !is_digit(peek())) return "TIMESTAMP";
    if (!take_digits(2) || !take(":") || !take_digits(2)) return {};
    if (take(":")) {
      if (!take_digits(2)) return {};
      if (take(".") && !digits(is_digit)) return {};
    }
    if (take("Z")) return "TIMESTAMP";
    if (!take("+") && !take("-")) return {};
    return take_digits(2) && take(":") && take_digits(2) ? "TIMESTAMP" : "";
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

IonLiteral read_ion_literal(std::string_view text) { return IonReader(text).literal(); }

}  // namespace magneto::expressions
