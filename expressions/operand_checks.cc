#include "expressions/operand_checks.h"

#include <string>

#include "expressions/expression_error.h"

namespace magneto::expressions {

std::optional<storage::AttributeType> static_type(const Node& operand) {
  if (operand.kind == NodeKind::kValue) return operand.value().type();
  if (operand.kind == NodeKind::kSize) return storage::AttributeType::kNumber;
  if (is_condition(operand.kind)) return storage::AttributeType::kBoolean;
  return std::nullopt;
}

void throw_operand_count(const Node& function) {
  throw ExpressionError(
      "Incorrect number of operands for operator or function; operator or function: " +
      std::string(operator_text(function.kind)) +
      ", number of operands: " + std::to_string(function.count));
}

void throw_operand_type(const Node& function, std::string_view type) {
  throw ExpressionError("Incorrect operand type for operator or function; operator or function: " +
                        std::string(operator_text(function.kind)) +
                        ", operand type: " + std::string(type));
}

void throw_path_required(const Node& function) {
  throw ExpressionError("Operator or function requires a document path; operator or function: " +
                        std::string(operator_text(function.kind)));
}

}  // namespace magneto::expressions
