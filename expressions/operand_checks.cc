#include "expressions/operand_checks.h"

#include <string>

#include "expressions/expression_error.h"
#include "expressions/messages.h"

namespace magneto::expressions {

std::optional<storage::AttributeType> static_type(const Node& operand) {
  if (operand.kind == NodeKind::kValue) return operand.value().type();
  if (operand.kind == NodeKind::kSize) return storage::AttributeType::kNumber;
  if (is_condition(operand.kind)) return storage::AttributeType::kBoolean;
  return std::nullopt;
}

void throw_operand_count(const Node& function) {
  throw ExpressionError(messages::operand_count(operator_text(function.kind), function.count));
}

void throw_operand_type(const Node& function, std::string_view type) {
  throw ExpressionError(messages::operand_type(operator_text(function.kind), type));
}

void throw_path_required(const Node& function) {
  throw ExpressionError(messages::path_required(operator_text(function.kind)));
}

}  // namespace magneto::expressions
