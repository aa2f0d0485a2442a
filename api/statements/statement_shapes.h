#pragma once

#include "api/validation/parameter_shapes.h"
#include "expressions/partiql/statement.h"

// Shapes shared by the PartiQL operations (AWS API reference, ExecuteStatement,
// BatchStatementRequest, ParameterizedStatement).
namespace magneto::api {

inline constexpr Shape kStatementShape =
    with_range(kStringShape, 1, expressions::kMaxStatementSize);
inline constexpr MemberShape kStatement{"Statement", &kStatementShape, Required::kYes};

inline constexpr Shape kStatementParametersShape = with_min(list_shape(kAttributeValueShape), 1);
inline constexpr MemberShape kStatementParameters{"Parameters", &kStatementParametersShape};

}  // namespace magneto::api
