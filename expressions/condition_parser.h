#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The tree's views point into the text, so a parsed expression must not move.
struct ParsedCondition {
  std::string text;
  SyntaxTree tree;

  explicit ParsedCondition(std::string_view expression) : text(expression) {}
  ParsedCondition(const ParsedCondition&) = delete;
  ParsedCondition& operator=(const ParsedCondition&) = delete;
};

// Parses a ConditionExpression, FilterExpression or KeyConditionExpression, or takes it from this
// thread's cache. Throws ExpressionError for problems that are visible without names and values:
// size, syntax, redundant parentheses, reserved words, list indexes, function names and their
// positions, and the number of operators.
std::shared_ptr<const ParsedCondition> parse_condition(std::string_view text);

}  // namespace magneto::expressions
