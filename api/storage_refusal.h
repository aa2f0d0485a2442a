#pragma once

#include <exception>
#include <optional>

#include "api/error.h"

namespace magneto::api {

// The request error for an exception of storage: the target of a write is gone, held by a
// transaction, or full. nullopt for any other exception, including faults.
std::optional<ApiError> refusal_of(const std::exception& thrown);

}  // namespace magneto::api
