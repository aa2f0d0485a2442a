#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

struct ConditionNode;

// A bound ConditionExpression or FilterExpression. Immutable; views into the request's values.
class Condition {
 public:
  // Lexes, parses, binds and checks. Throws ExpressionError in DynamoDB's order of checks.
  static Condition parse(std::string_view text, Placeholders& placeholders);

  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;
  ~Condition();

  bool matches(storage::ItemView item) const;

  // Top-level attributes the condition names, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;

 private:
  Condition();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
