#pragma once

#include <optional>
#include <string>

#include "api/error.h"

namespace magneto::api {

// A problem with a part of a request, as the text of a bare ValidationException; nullopt if there
// is none. For most operations the problem ends the request; in a transaction it becomes a
// cancellation reason.
using Problem = std::optional<std::string>;

// Throws ValidationException if there is a problem.
inline void refuse_if(const Problem& problem) {
  if (problem) fail_validation(*problem);
}

}  // namespace magneto::api
