#include "expressions/update_checks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "expressions/binder.h"
#include "expressions/expression_error.h"
#include "expressions/messages.h"
#include "expressions/operand_checks.h"
#include "expressions/path_set.h"

namespace magneto::expressions {

using storage::AttributeType;

namespace {

void bind_all(SyntaxTree& tree, Placeholders& placeholders) {
  for (const Node& node : tree.nodes()) {
    if (node.kind == NodeKind::kPath) bind_path(tree, node, placeholders);
  }
  for (NodeIndex i = 0; i < tree.size(); ++i) {
    if (tree.node(i).kind == NodeKind::kValue) bind_value(tree, i, placeholders);
  }
}

void check_targets(const UpdateTree& update, bool later_first) {
  if (update.actions.size() < 2) return;
  std::vector<PathView> targets;
  targets.reserve(update.actions.size());
  for (const UpdateAction& action : update.actions) {
    targets.push_back(update.tree.path(update.tree.node(action.target)));
  }
  if (later_first) std::reverse(targets.begin(), targets.end());
  check_paths(targets);
}

// The type's name in a refusal; nullptr if the type is allowed. ADD takes numbers and sets, DELETE
// takes sets.
const char* refused_type(ActionKind kind, AttributeType type) {
  switch (type) {
    case AttributeType::kString:
      return "STRING";
    case AttributeType::kNumber:
      return kind == ActionKind::kAdd ? nullptr : "NUMBER";
    case AttributeType::kBinary:
      return "Binary";
    case AttributeType::kBoolean:
      return "BOOL";
    case AttributeType::kNull:
      return "NULL";
    case AttributeType::kList:
      return "LIST";
    case AttributeType::kMap:
      return "MAP";
    default:
      return nullptr;
  }
}

void check_action_value(const UpdateTree& update, const UpdateAction& action) {
  if (action.kind != ActionKind::kAdd && action.kind != ActionKind::kDelete) return;
  const char* type = refused_type(action.kind, update.tree.node(action.operand).value().type());
  if (type == nullptr) return;
  throw ExpressionError(messages::action_operand_type(action_text(action.kind), type));
}

void check_value_types(const SyntaxTree& tree, const Node& node, AttributeType required) {
  for (std::size_t i = 0; i < node.count; ++i) {
    const std::optional<AttributeType> type = static_type(tree.operand(node, i));
    if (type && *type != required) throw_operand_type(node, storage::type_name(*type));
  }
}

void check_update_operands(const SyntaxTree& tree, const Node& node) {
  switch (node.kind) {
    case NodeKind::kIfNotExists:
      if (node.count != 2) throw_operand_count(node);
      if (tree.operand(node, 0).kind != NodeKind::kPath) throw_path_required(node);
      return;
    case NodeKind::kListAppend:
      if (node.count != 2) throw_operand_count(node);
      check_value_types(tree, node, AttributeType::kList);
      return;
    case NodeKind::kPlus:
    case NodeKind::kMinus:
      check_value_types(tree, node, AttributeType::kNumber);
      return;
    default:
      return;
  }
}

void check_actions_and_operands(const UpdateTree& update) {
  for (const UpdateAction& action : update.actions) check_action_value(update, action);
  for (const Node& node : update.tree.nodes()) check_update_operands(update.tree, node);
}

}  // namespace

void bind_update(UpdateTree& update, Placeholders& placeholders) {
  bind_all(update.tree, placeholders);
  check_targets(update, false);
  check_actions_and_operands(update);
}

void check_statement_update(const UpdateTree& update) {
  check_targets(update, true);
  check_actions_and_operands(update);
}

}  // namespace magneto::expressions
