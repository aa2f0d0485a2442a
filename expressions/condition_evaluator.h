#pragma once

#include <span>

#include "expressions/path_values.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// Sorts the operands of long INs, so that a value is found quickly.
void arrange_memberships(SyntaxTree& tree);

// Evaluates a bound condition for an item. A comparison with a missing attribute is false, except
// that it differs (<>) from everything. A condition as the operand of another counts as a BOOL.
// Recursion is as deep as the tree.
class ConditionEvaluator {
 public:
  // `paths` holds the tree's paths; the slot of each is the index of its first element. nullptr if
  // there are few paths.
  ConditionEvaluator(const SyntaxTree& tree, const PathTable* paths, storage::ItemView item,
                     storage::Effort& effort)
      : tree_(tree), paths_(paths), item_(item), effort_(effort) {}

  bool holds() { return holds(tree_.node(tree_.root())); }

 private:
  class SizeValue;

  bool holds(const Node& node);
  bool holds_for_two(NodeKind kind, storage::AttributeView a, storage::AttributeView b);
  bool is_in(const Node& node, storage::AttributeView value);
  bool is_at(std::span<const NodeIndex> paths, storage::AttributeView value);
  bool is_one_of(std::span<const NodeIndex> operands, storage::AttributeView value);
  bool is_between(const Node& node, storage::AttributeView value);
  storage::AttributeView evaluate(const Node& operand, SizeValue& size);
  storage::AttributeView value_at(const Node& path);

  const SyntaxTree& tree_;
  const PathTable* paths_;
  const storage::ItemView item_;
  storage::Effort& effort_;
  std::uint64_t looked_up_ = 0;  // steps of the individual lookups so far
  PathTable::Values values_;     // set once all paths have been looked up together
};

}  // namespace magneto::expressions
