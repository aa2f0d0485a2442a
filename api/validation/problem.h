#pragma once

#include <optional>
#include <string>

#include "api/error.h"

namespace magneto::api {

// What is wrong with a part of a request, in the words of a bare ValidationException; nullopt:
// nothing is. Most operations end with it; a transaction makes it the reason of its cancellation.
using Problem = std::optional<std::string>;

// Throws ValidationException when there is a problem.
inline void refuse_if(const Problem& problem) {
  if (problem) fail_validation(*problem);
}

}  // namespace magneto::api
