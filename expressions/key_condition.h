#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "storage/model/attribute_value.h"
#include "storage/model/key_condition.h"
#include "storage/model/table_schema.h"

namespace magneto::expressions {

// One condition on one attribute, with the attribute on the left.
struct KeyClause {
  std::string_view attribute;
  storage::SortOperator comparison = storage::SortOperator::kEqual;
  storage::AttributeView low;   // the operand, or the lower one of kBetween
  storage::AttributeView high;  // kBetween only
};

// Throws ExpressionError for a value whose type differs from that of its key attribute.
[[noreturn]] void throw_wrong_key_type();

// A bound KeyConditionExpression, not yet checked against a key schema. Immutable and thread-safe;
// views into the request's names and values, which must outlive it.
class KeyConditionExpression {
 public:
  // Lexes, parses and binds. Checks operand types clause by clause, from left to right.
  static KeyConditionExpression parse(std::string_view text, Placeholders& placeholders);
  static KeyConditionExpression of(std::vector<KeyClause> clauses);

  KeyConditionExpression(KeyConditionExpression&&) noexcept;
  KeyConditionExpression& operator=(KeyConditionExpression&&) noexcept;
  ~KeyConditionExpression();

  // Refuses parts that a condition may contain but a key condition may not: OR, NOT, IN, functions,
  // nested paths, two conditions on one attribute. DynamoDB checks this after it has read all
  // expressions of the request and before it looks up the table. Throws ExpressionError.
  void check_form() const;
  // The clauses, on any attributes. Checks the form first.
  std::vector<KeyClause> clauses() const;

  // The condition on the key of a table or index. Checks the form first. Throws ExpressionError for
  // a missing key attribute, too many conditions, a type that differs from the schema's, or gaps in
  // multi-attribute keys.
  storage::KeyCondition against(const storage::KeySchema& schema) const;

 private:
  struct State;
  explicit KeyConditionExpression(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
