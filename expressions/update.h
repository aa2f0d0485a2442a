#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/placeholders.h"
#include "storage/model/attribute_value.h"
#include "storage/model/document_path.h"

namespace magneto::expressions {

// A bound UpdateExpression. Immutable; views into the request's values.
class Update {
 public:
  // Lexes, parses, binds and checks (path overlaps and conflicts included).
  static Update parse(std::string_view text, Placeholders& placeholders);

  Update(Update&&) noexcept;
  Update& operator=(Update&&) noexcept;
  ~Update();

  // The paths it writes, in order of appearance (SET, REMOVE, ADD, DELETE targets).
  const std::vector<storage::DocumentPath>& targets() const;

  // Values that SET would store literally or ADD would create, by top-level target, for the checks on
  // index key attributes: the value when it is known before the item is read, else absent.
  storage::AttributeView literal_value(std::size_t target) const;

  // The statement's charge towards the item size limit (captured facts, "UpdateItem statement-size
  // rule").
  std::size_t statement_charge() const;

  // The item after the update. All operands read `current`. Throws ExpressionError (scope kRequest):
  // missing attribute in an operand, wrong type, path invalid for update, number overflow.
  storage::Item apply(storage::ItemView current) const;

 private:
  Update();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
