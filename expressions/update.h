#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/document_path.h"

namespace magneto::expressions {

// A bound UpdateExpression. Immutable and thread-safe; views into the request's names and values,
// which must outlive it.
class Update {
 public:
  // Lexes, parses, binds and checks (path overlaps and conflicts included).
  static Update parse(std::string_view text, Placeholders& placeholders);
  // From a bound tree that keeps the rules parse() checks: targets apart, operands of the number
  // and types their operators take, no deeper than kMaxOperators.
  static Update of(UpdateTree update);

  Update(Update&&) noexcept;
  Update& operator=(Update&&) noexcept;
  ~Update();

  // The paths it writes, in order of appearance (SET, REMOVE, ADD, DELETE targets).
  const std::vector<storage::DocumentPath>& targets() const;

  // Values that SET would store literally or ADD would create, by top-level target, for the checks
  // on index key attributes: the value when it is known before the item is read, else absent.
  storage::AttributeView literal_value(std::size_t target) const;

  // Top-level attributes it looks into ("a.b", "a[0]") in targets and operands, each once, in order
  // of appearance; key attributes do not allow it.
  std::vector<std::string_view> nested_attributes() const;

  // The statement's charge towards the item size limit (captured facts, "UpdateItem statement-size
  // rule").
  std::size_t statement_charge() const;

  // The item after the update. All operands read `current`; when there is no item yet, `current` is
  // its key and `item_exists` false (REMOVE of a nested path is then ignored). Throws
  // ExpressionError (scope kRequest): missing attribute in an operand, wrong type, path invalid for
  // update, number out of range.
  storage::Item apply(storage::ItemView current, bool item_exists = true) const;

 private:
  struct State;
  explicit Update(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
