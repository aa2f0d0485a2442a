#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The tree's views point into the text, so a parsed expression must not move.
struct ParsedProjection {
  std::string text;
  SyntaxTree tree;  // paths only, in order of appearance

  explicit ParsedProjection(std::string_view expression) : text(expression) {}
  ParsedProjection(const ParsedProjection&) = delete;
  ParsedProjection& operator=(const ParsedProjection&) = delete;
};

// Parses a ProjectionExpression, or takes it from this thread's cache. Throws ExpressionError for
// problems that are visible without names: size, syntax, reserved words and list indexes.
std::shared_ptr<const ParsedProjection> parse_projection(std::string_view text);

}  // namespace magneto::expressions
