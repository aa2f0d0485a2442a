#pragma once

#include <exception>
#include <optional>

#include "api/error.h"

namespace magneto::api {

// The request error that an exception of storage means: what it writes to is gone, held by a
// transaction, or full. nullopt for any other exception, faults among them.
std::optional<ApiError> refusal_of(const std::exception& thrown);

}  // namespace magneto::api
