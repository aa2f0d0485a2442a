#include "expressions/operand_stack.h"

#include <array>
#include <string>

#include "expressions/expression_error.h"
#include "expressions/messages.h"

namespace magneto::expressions {

namespace {

constexpr std::array kConditionFunctions = {
    NodeKind::kAttributeExists, NodeKind::kAttributeNotExists, NodeKind::kAttributeType,
    NodeKind::kBeginsWith,      NodeKind::kContains,           NodeKind::kSize};
constexpr std::array kUpdateFunctions = {NodeKind::kIfNotExists, NodeKind::kListAppend};

}  // namespace

NodeIndex OperandStack::reduce(SyntaxTree& tree, NodeKind kind, std::size_t count,
                               Operand::Form form, std::uint32_t offset) {
  absl::InlinedVector<NodeIndex, 8> nodes;
  for (std::size_t i = operands_.size() - count; i < operands_.size(); ++i) {
    nodes.push_back(operands_[i].node);
  }
  operands_.resize(operands_.size() - count, Operand{});
  const NodeIndex node = tree.add(kind, nodes);
  push(node, form, offset);
  return node;
}

void throw_redundant_parentheses() { throw ExpressionError(messages::kRedundantParentheses); }

NodeKind take_function_kind(TokenCursor& cursor, const Token& name, bool in_update) {
  const std::string_view text = cursor.text_of(name);
  for (const NodeKind kind : kConditionFunctions) {
    if (operator_text(kind) != text) continue;
    if (in_update) {
      cursor.record_problem(name.begin, messages::condition_function_in_update(text));
    }
    return kind;
  }
  for (const NodeKind kind : kUpdateFunctions) {
    if (operator_text(kind) != text) continue;
    if (!in_update) {
      cursor.record_problem(name.begin, messages::update_function_in_condition(text));
    }
    return kind;
  }
  cursor.record_problem(name.begin, messages::unknown_function(text));
  return NodeKind::kSize;
}

void record_misplaced_function(TokenCursor& cursor, NodeKind kind, std::uint32_t offset) {
  cursor.record_problem(offset, messages::misplaced_function(operator_text(kind)));
}

}  // namespace magneto::expressions
