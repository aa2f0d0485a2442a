#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"

namespace magneto::expressions {

inline constexpr std::size_t kMaxExpressionSize = 4'096;  // bytes as sent (captured facts)

enum class TokenType : std::uint8_t {
  kEnd,
  kIdentifier,        // a letter, then letters, digits and '_'
  kNamePlaceholder,   // '#' and at least one letter, digit or '_'
  kValuePlaceholder,  // ':' and at least one letter, digit or '_'
  kIndex,             // digits without a leading zero
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPlus,
  kMinus,
  kOpenParenthesis,
  kCloseParenthesis,
  kOpenBracket,
  kCloseBracket,
  kComma,
  kDot,
  // Keywords, in upper or lower case, in every kind of expression.
  kAnd,
  kOr,
  kNot,
  kBetween,
  kIn,
  kSet,
  kRemove,
  kAdd,
  kDelete,
  kUnknown,  // one character that begins no token
};

struct Token {
  TokenType type;
  std::uint32_t begin;  // offsets into the text
  std::uint32_t end;
};

using TokenList = absl::InlinedVector<Token, 32>;

// Returns all tokens of `text`; the last has the type kEnd. Never fails.
TokenList lex(std::string_view text);

}  // namespace magneto::expressions
