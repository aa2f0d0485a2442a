#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "expressions/expression_error.h"
#include "expressions/path_set.h"
#include "expressions/placeholders.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// Refuses an update that would make an item larger than one may be.
[[noreturn]] void throw_oversized_update();

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
  const std::vector<PathView>& targets() const;

  // It has actions, and none but REMOVE and DELETE.
  bool only_removes() const;

  // Values that SET would store literally or ADD would create, by top-level target, for the checks
  // on index key attributes: the value when it is known before the item is read, else absent.
  storage::AttributeView literal_value(std::size_t target) const;

  // Top-level attributes named in targets and operands, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;
  // Top-level attributes it looks into ("a.b", "a[0]") in targets and operands, each once, in order
  // of appearance; key attributes do not allow it.
  std::vector<std::string_view> nested_attributes() const;

  // The statement's charge towards the item size limit (captured facts, "UpdateItem statement-size
  // rule").
  std::size_t statement_charge() const;

  // The item after the update. All operands read `current`; when there is no item yet, `current` is
  // its key and `item_exists` false (REMOVE of a nested path is then ignored). Throws
  // ExpressionError (scope kRequest): missing attribute in an operand, wrong type, path invalid for
  // update, number out of range, values that together are larger than an item may be (so no more
  // than about that is ever made). Linear in the item and the update; counts what it does and
  // throws NeedsWorker where that comes to too much.
  storage::Item apply(storage::ItemView current, bool item_exists, storage::Effort& effort) const;
  storage::Item apply(storage::ItemView current, bool item_exists = true) const;  // with no limit

 private:
  struct State;
  explicit Update(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
