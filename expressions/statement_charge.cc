#include "expressions/statement_charge.h"

#include "storage/model/item_size.h"

namespace magneto::expressions {

namespace {

// The table in the captured facts.
constexpr std::size_t kStatement = 3;
constexpr std::size_t kWritingAction = 19;  // SET, ADD
constexpr std::size_t kTakingAction = 1;    // REMOVE, DELETE
constexpr std::size_t kTargetStep = 4;      // for each step after the first
constexpr std::size_t kPathOperand = 1;
constexpr std::size_t kPathOperandStep = 14;
constexpr std::size_t kAddition = 34;
constexpr std::size_t kSubtraction = 37;
constexpr std::size_t kListAppendCall = 37;
constexpr std::size_t kIfNotExistsCall = 39;

std::size_t step_length(const PathElement& step) {
  if (!step.is_index()) return step.name.size();
  std::size_t digits = 1;
  for (std::uint32_t rest = step.index; rest >= 10; rest /= 10) ++digits;
  return digits;
}

std::size_t target_cost(std::span<const PathElement> path) {
  std::size_t cost = step_length(path.front());
  for (const PathElement& step : path.subspan(1)) cost += kTargetStep + step_length(step);
  return cost;
}

std::size_t node_cost(const SyntaxTree& tree, const Node& node) {
  switch (node.kind) {
    case NodeKind::kValue:
      return storage::value_size(node.value());
    case NodeKind::kPath: {
      std::size_t cost = kPathOperand;
      for (const PathElement& step : tree.path(node)) cost += kPathOperandStep + step_length(step);
      return cost;
    }
    case NodeKind::kPlus:
      return kAddition;
    case NodeKind::kMinus:
      return kSubtraction;
    case NodeKind::kListAppend:
      return kListAppendCall;
    case NodeKind::kIfNotExists:
      return kIfNotExistsCall;
    default:
      return 0;
  }
}

std::size_t action_cost(const UpdateTree& update, const UpdateAction& action) {
  const SyntaxTree& tree = update.tree;
  std::size_t cost = target_cost(tree.path(tree.node(action.target)));
  if (action.kind == ActionKind::kRemove || action.kind == ActionKind::kDelete) {
    return kTakingAction + cost;
  }
  // In the tree, the nodes of an operand come between the target and the operand's own node.
  for (NodeIndex i = action.target + 1; i <= action.operand; ++i) {
    cost += node_cost(tree, tree.node(i));
  }
  return kWritingAction + cost;
}

}  // namespace

std::size_t statement_charge(const UpdateTree& update) {
  std::size_t charge = kStatement;
  for (const UpdateAction& action : update.actions) charge += action_cost(update, action);
  return charge;
}

}  // namespace magneto::expressions
