#include "expressions/legacy/legacy_condition.h"

#include <array>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "expressions/syntax_tree.h"

namespace magneto::expressions {

namespace {

NodeKind node_kind(LegacyOperator comparison) {
  switch (comparison) {
    case LegacyOperator::kEqual:
      return NodeKind::kEqual;
    case LegacyOperator::kNotEqual:
      return NodeKind::kNotEqual;
    case LegacyOperator::kLess:
      return NodeKind::kLess;
    case LegacyOperator::kLessOrEqual:
      return NodeKind::kLessOrEqual;
    case LegacyOperator::kGreater:
      return NodeKind::kGreater;
    case LegacyOperator::kGreaterOrEqual:
      return NodeKind::kGreaterOrEqual;
    case LegacyOperator::kExists:
      return NodeKind::kAttributeExists;
    case LegacyOperator::kNotExists:
      return NodeKind::kAttributeNotExists;
    case LegacyOperator::kContains:
    case LegacyOperator::kNotContains:
      return NodeKind::kContains;
    case LegacyOperator::kBeginsWith:
      return NodeKind::kBeginsWith;
    case LegacyOperator::kIn:
      return NodeKind::kIn;
    case LegacyOperator::kBetween:
      return NodeKind::kBetween;
  }
  return NodeKind::kEqual;
}

NodeIndex add_comparison(SyntaxTree& tree, const LegacyComparison& comparison) {
  absl::InlinedVector<NodeIndex, 3> operands;
  const PathElement attribute = PathElement::member(comparison.attribute);
  operands.push_back(tree.add_path({&attribute, 1}));
  for (const storage::AttributeView operand : comparison.operands) {
    operands.push_back(tree.add_value(operand));
  }
  const NodeIndex node = tree.add(node_kind(comparison.comparison), operands);
  if (comparison.comparison != LegacyOperator::kNotContains) return node;
  // Unlike `NOT contains(a, :v)`, NOT_CONTAINS is false for a missing attribute (captured facts 2,
  // "UpdateItem, conditions, names").
  const NodeIndex path = tree.add_path({&attribute, 1});
  const std::array<NodeIndex, 2> both{tree.add(NodeKind::kAttributeExists, {&path, 1}),
                                      tree.add(NodeKind::kNot, {&node, 1})};
  return tree.add(NodeKind::kAnd, both);
}

}  // namespace

Condition legacy_condition(std::span<const LegacyComparison> comparisons, LegacyJunction junction) {
  SyntaxTree tree;
  absl::InlinedVector<NodeIndex, 4> nodes;
  for (const LegacyComparison& comparison : comparisons) {
    nodes.push_back(add_comparison(tree, comparison));
  }
  if (nodes.size() > 1) {
    tree.add(junction == LegacyJunction::kAnd ? NodeKind::kAnd : NodeKind::kOr, nodes);
  }
  return Condition::of(std::move(tree));
}

}  // namespace magneto::expressions
