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
  // Makes a condition from a bound tree. Its root must be a condition, its depth at most
  // kMaxOperators, and its operands must have the number and types that their operators accept.
  static Condition of(SyntaxTree tree);

  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;
  ~Condition();

  // Takes linear time in the item, the expression and the bytes of the values that it compares,
  // once for each use. Counts its work, and throws NeedsWorker if it is too much.
  bool matches(storage::ItemView item, storage::Effort& effort) const;
  bool matches(storage::ItemView item) const;  // without a limit

  // Top-level attributes in the condition, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;
  // The same for attributes of which it reads a part ("a.b", "a[0]"). Key attributes do not allow
  // that.
  std::vector<std::string_view> nested_attributes() const;

 private:
  struct State;
  explicit Condition(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
