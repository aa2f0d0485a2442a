#pragma once

#include <optional>

#include "api/request/expression_inputs.h"
#include "api/request/parameters.h"
#include "expressions/projection.h"

namespace magneto::api {

// Refuses invalid names in the legacy AttributesToGet, and a name that occurs twice.
void check_attribute_names(const Parameters& parameters);
void check_attributes_differ(const Parameters& parameters);

// The part of an item that a read returns, from ProjectionExpression or AttributesToGet; nullopt:
// the whole item.
std::optional<expressions::Projection> requested_projection(const Parameters& parameters,
                                                            ExpressionInputs& inputs);

}  // namespace magneto::api
