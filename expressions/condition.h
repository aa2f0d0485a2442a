#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// A bound ConditionExpression or FilterExpression. Immutable and thread-safe; views into the
// request's names and values, which must outlive it.
class Condition {
 public:
  // Lexes, parses, binds and checks. Throws ExpressionError in DynamoDB's order of checks.
  static Condition parse(std::string_view text, Placeholders& placeholders);
  // From a bound tree whose root is a condition and which is no deeper than kMaxOperators; the
  // operands have the number and types their operators take.
  static Condition of(SyntaxTree tree);

  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;
  ~Condition();

  // Linear in the item, the expression and the bytes of the values it compares, each time it names
  // them. Counts what it does and throws NeedsWorker where that comes to too much.
  bool matches(storage::ItemView item, storage::Effort& effort) const;
  bool matches(storage::ItemView item) const;  // with no limit

  // Top-level attributes the condition names, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;
  // The same for those it looks into ("a.b", "a[0]"), which key attributes do not allow.
  std::vector<std::string_view> nested_attributes() const;

 private:
  struct State;
  explicit Condition(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
