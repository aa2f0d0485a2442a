#pragma once

#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::expressions {

enum class StatementTokenType : std::uint8_t {
  kEnd,
  kIdentifier,
  kQuotedIdentifier,  // "name"
  kString,            // 'text'
  kNumber,            // without sign
  kTrue,
  kFalse,
  kNull,
  kMissing,
  kIon,        // `1`
  kParameter,  // ?
  kKeyword,
  kOperator,
  kStar,
  kOpenParenthesis,
  kCloseParenthesis,
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kOpenBag,   // <<
  kCloseBag,  // >>
  kComma,
  kColon,
  kDot,
  kSemicolon,
  kAs,
  kAt,
  kBy,
  kFor,
  kAsc,
  kDesc,
  kNulls,
  kFirst,
  kLast,
};

struct StatementToken {
  StatementTokenType type;
  // Ion in backquotes: its kind, "INT". Identifiers and strings: the text between the quotes, with doubled quotes made single. Numbers:
  // as written. Keywords and operators: in lower case; words that belong together are joined by
  // '_'.
  std::string_view text;
  // The position of the token in messages: line and column in characters, counted from 1, and the
  // length in characters.
  std::uint32_t line;
  std::uint32_t column;
  std::uint32_t length;

  // Whether the token is a keyword or operator with this text.
  bool is_word(std::string_view word) const {
    return (type == StatementTokenType::kKeyword || type == StatementTokenType::kOperator) &&
           text == word;
  }
};

// The tokens of one statement; the last has the type kEnd. Views into the statement and into
// `unescaped`.
struct StatementTokens {
  std::vector<StatementToken> list;
  std::forward_list<std::string> unescaped;
};

// Splits a statement into tokens. White space and comments ("-- to the end of the line", "/* ...
// */") separate tokens. Throws ExpressionError, as for every statement that cannot be read; here
// DynamoDB gives no detail (captured facts, "PartiQL, Grammar refused").
StatementTokens lex_statement(std::string_view statement);

// `message`: kMalformed of messages.h, or a sentence that begins with it.
[[noreturn]] void throw_malformed_statement(std::string_view message);

// Returns "<line>:<column>:<length>".
std::string location_text(const StatementToken& token);

}  // namespace magneto::expressions
