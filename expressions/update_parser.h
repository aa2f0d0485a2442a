#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The tree's views point into the text, so a parsed expression must not move.
struct ParsedUpdate {
  std::string text;
  UpdateTree update;

  explicit ParsedUpdate(std::string_view expression) : text(expression) {}
  ParsedUpdate(const ParsedUpdate&) = delete;
  ParsedUpdate& operator=(const ParsedUpdate&) = delete;
};

// Parses an UpdateExpression, or takes it from this thread's cache. Throws ExpressionError for
// problems that are visible without names and values: those of parse_condition, and a section used
// twice.
std::shared_ptr<const ParsedUpdate> parse_update(std::string_view text);

}  // namespace magneto::expressions
