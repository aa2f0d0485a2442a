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

// Refuses an update that would make an item larger than the limit.
[[noreturn]] void throw_oversized_update();

// A bound UpdateExpression. Immutable and thread-safe; views into the request's names and values,
// which must outlive it.
class Update {
 public:
  // Lexes, parses, binds and checks (including path overlaps and conflicts).
  static Update parse(std::string_view text, Placeholders& placeholders);
  // Makes an update from a bound tree. The tree must follow the rules that parse() checks: separate
  // targets, operands of the number and types that their operators accept, and a depth of at most
  // kMaxOperators.
  static Update of(UpdateTree update);

  Update(Update&&) noexcept;
  Update& operator=(Update&&) noexcept;
  ~Update();

  // The paths that it writes, in order of appearance (SET, REMOVE, ADD, DELETE targets).
  const std::vector<PathView>& targets() const;

  // Whether it has actions, all of them REMOVE or DELETE.
  bool only_removes() const;

  // The value that SET would store literally or ADD would create at a top-level target, for the
  // checks on index key attributes. Absent if it is not known before the item is read.
  storage::AttributeView literal_value(std::size_t target) const;

  // Top-level attributes in targets and operands, each once, in order of appearance.
  std::vector<std::string_view> attributes() const;
  // Top-level attributes of which targets and operands use a part ("a.b", "a[0]"), each once, in
  // order of appearance. Key attributes do not allow that.
  std::vector<std::string_view> nested_attributes() const;

  // The statement's charge towards the item size limit (captured facts, "UpdateItem statement-size
  // rule").
  std::size_t statement_charge() const;

  // Returns the item after the update. All operands read `current`. If there is no item yet,
  // `current` is its key and `item_exists` is false; then REMOVE of a nested path is ignored.
  // Throws ExpressionError (scope kRequest) for a missing attribute in an operand, a wrong type, a
  // path invalid for update, or a number out of range. Also throws it for values that together
  // exceed the item size limit, so hardly more than that is ever built. Takes linear time in the
  // item and the update. Counts its work, and throws NeedsWorker if it is too much.
  storage::Item apply(storage::ItemView current, bool item_exists, storage::Effort& effort) const;
  storage::Item apply(storage::ItemView current, bool item_exists = true) const;  // without a limit

 private:
  struct State;
  explicit Update(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace magneto::expressions
