#include "expressions/operand_stack.h"

#include <array>
#include <string>

#include "expressions/expression_error.h"

namespace magneto::expressions {

namespace {

constexpr std::array kConditionFunctions = {
    NodeKind::kAttributeExists, NodeKind::kAttributeNotExists, NodeKind::kAttributeType,
    NodeKind::kBeginsWith,      NodeKind::kContains,           NodeKind::kSize};
constexpr std::array kUpdateFunctions = {NodeKind::kIfNotExists, NodeKind::kListAppend};

}  // namespace

NodeIndex OperandStack::reduce(SyntaxTree& tree, NodeKind kind, std::size_t count,
                               Operand::Form form, std::uint32_t position) {
  absl::InlinedVector<NodeIndex, 8> nodes;
  for (std::size_t i = operands_.size() - count; i < operands_.size(); ++i) {
    nodes.push_back(operands_[i].node);
  }
  operands_.resize(operands_.size() - count, Operand{});
  const NodeIndex node = tree.add(kind, nodes);
  push(node, form, position);
  return node;
}

void throw_redundant_parentheses() {
  throw ExpressionError("The expression has redundant parentheses;");
}

NodeKind take_function_kind(TokenCursor& cursor, const Token& name, bool in_update) {
  const std::string_view text = cursor.text_of(name);
  for (const NodeKind kind : kConditionFunctions) {
    if (operator_text(kind) != text) continue;
    if (in_update) {
      cursor.note_problem(
          name.begin,
          "The function is not allowed in an update expression; function: " + std::string(text));
    }
    return kind;
  }
  for (const NodeKind kind : kUpdateFunctions) {
    if (operator_text(kind) != text) continue;
    if (!in_update) {
      cursor.note_problem(
          name.begin,
          "The function is not allowed in a condition expression; function: " + std::string(text));
    }
    return kind;
  }
  cursor.note_problem(name.begin, "Invalid function name; function: " + std::string(text));
  return NodeKind::kSize;
}

void note_misplaced_function(TokenCursor& cursor, NodeKind kind, std::uint32_t position) {
  cursor.note_problem(
      position, "The function is not allowed to be used this way in an expression; function: " +
                    std::string(operator_text(kind)));
}

}  // namespace magneto::expressions
