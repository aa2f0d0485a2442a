#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The views of the tree point into the text, so a parsed expression never moves.
struct ParsedProjection {
  std::string text;
  SyntaxTree tree;  // paths only, in order of appearance

  explicit ParsedProjection(std::string_view expression) : text(expression) {}
  ParsedProjection(const ParsedProjection&) = delete;
  ParsedProjection& operator=(const ParsedProjection&) = delete;
};

// A ProjectionExpression, from this thread's cache when it is there. Throws ExpressionError for
// what can be told without names: size, syntax, reserved words and list indexes.
std::shared_ptr<const ParsedProjection> parse_projection(std::string_view text);

}  // namespace magneto::expressions
