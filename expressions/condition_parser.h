#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The views of the tree point into the text, so a parsed expression never moves.
struct ParsedCondition {
  std::string text;
  SyntaxTree tree;

  explicit ParsedCondition(std::string_view expression) : text(expression) {}
  ParsedCondition(const ParsedCondition&) = delete;
  ParsedCondition& operator=(const ParsedCondition&) = delete;
};

// A ConditionExpression, FilterExpression or KeyConditionExpression, from this thread's cache when
// it is there. Throws ExpressionError for what can be told without names and values: size, syntax,
// redundant parentheses, reserved words, list indexes, function names and where functions stand,
// and the number of operators.
std::shared_ptr<const ParsedCondition> parse_condition(std::string_view text);

}  // namespace magneto::expressions
