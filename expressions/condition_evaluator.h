#pragma once

#include <span>

#include "expressions/path_values.h"
#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

namespace magneto::expressions {

// Brings the operands of long INs into an order in which a value is found quickly.
void arrange_memberships(SyntaxTree& tree);

// Asks whether a bound condition holds for an item. Comparisons with a missing attribute are false,
// except that it differs (<>) from everything. A condition that is an operand of another is a BOOL.
// Recursion is as deep as the tree.
class ConditionEvaluator {
 public:
  // `paths` has the tree's paths, each with the place of its first element for a slot; nullptr when
  // there are few.
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
  std::uint64_t looked_up_ = 0;  // steps of lookups one after the other
  PathTable::Values values_;     // once all paths were looked up together
};

}  // namespace magneto::expressions
