#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "expressions/syntax_tree.h"

namespace magneto::expressions {

// The views of the tree point into the text, so a parsed expression never moves.
struct ParsedUpdate {
  std::string text;
  UpdateTree update;

  explicit ParsedUpdate(std::string_view expression) : text(expression) {}
  ParsedUpdate(const ParsedUpdate&) = delete;
  ParsedUpdate& operator=(const ParsedUpdate&) = delete;
};

// An UpdateExpression, from this thread's cache when it is there. Throws ExpressionError for what
// can be told without names and values: as parse_condition, and a section used twice.
std::shared_ptr<const ParsedUpdate> parse_update(std::string_view text);

}  // namespace magneto::expressions
