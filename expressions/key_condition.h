#pragma once

#include <memory>
#include <string_view>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "storage/model/key_condition.h"
#include "storage/model/table_schema.h"

namespace magneto::expressions {

// A bound KeyConditionExpression, not yet held against a key schema.
class KeyConditionExpression {
 public:
  // Lexes, parses, binds; checks operand types clause by clause, left to right.
  static KeyConditionExpression parse(std::string_view text, Placeholders& placeholders);

  KeyConditionExpression(KeyConditionExpression&&) noexcept;
  KeyConditionExpression& operator=(KeyConditionExpression&&) noexcept;
  ~KeyConditionExpression();

  // The condition on the key of a table or index. Throws ExpressionError: a key attribute missed,
  // too many conditions, a type that is not the schema's, gaps in multi-attribute keys.
  storage::KeyCondition against(const storage::KeySchema& schema) const;

 private:
  KeyConditionExpression();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
