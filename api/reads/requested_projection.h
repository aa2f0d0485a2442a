#pragma once

#include <optional>

#include "api/request/expression_inputs.h"
#include "api/request/parameters.h"
#include "expressions/projection.h"

namespace magneto::api {

// Refuses a name given twice in the legacy AttributesToGet.
void check_attributes_to_get(const Parameters& parameters);

// What of an item a read returns: ProjectionExpression or AttributesToGet; nullopt: all of it.
std::optional<expressions::Projection> requested_projection(const Parameters& parameters,
                                                            ExpressionInputs& inputs);

}  // namespace magneto::api
