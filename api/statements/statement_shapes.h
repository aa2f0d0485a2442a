#pragma once

#include "api/validation/parameter_shapes.h"
#include "expressions/partiql/statement.h"

// Shapes shared by the PartiQL operations (AWS API reference, ExecuteStatement,
// BatchStatementRequest, ParameterizedStatement).
namespace magneto::api {

// Of code points (captured facts 3, P2).
inline constexpr Shape kStatementShape = [] {
  Shape shape = with_range(kStringShape, 1, expressions::kMaxStatementSize);
  shape.counts_code_points = true;
  return shape;
}();
inline constexpr MemberShape kStatement{"Statement", &kStatementShape, Required::kYes};

inline constexpr Shape kStatementParametersShape = with_min(list_shape(kAttributeValueShape), 1);
inline constexpr MemberShape kStatementParameters{"Parameters", &kStatementParametersShape};

}  // namespace magneto::api
