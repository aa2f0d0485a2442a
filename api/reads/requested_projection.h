#pragma once

#include <optional>

#include "api/request/expression_inputs.h"
#include "api/request/parameters.h"
#include "expressions/projection.h"

namespace magneto::api {

// Refuses a name that occurs twice in the legacy AttributesToGet.
void check_attributes_to_get(const Parameters& parameters);

// The part of an item that a read returns, from ProjectionExpression or AttributesToGet; nullopt:
// the whole item.
std::optional<expressions::Projection> requested_projection(const Parameters& parameters,
                                                            ExpressionInputs& inputs);

}  // namespace magneto::api
