#pragma once

#include <optional>
#include <string>

#include "api/error.h"
#include "api/operation.h"
#include "server/config.h"
#include "server/http_request.h"

namespace magneto::server {

// Why a request is refused before its operation is looked at.
struct AuthError {
  api::ErrorType type;
  std::string message;
};

// Finds out who asks, from the Authorization header or, of a presigned request, from the query.
// Fills in `caller` with views into `request`. The checks and their texts are those of AWS
// (captured facts, error wire format; of date and scope, answers quoted in public) up to the form
// of the credentials; with AuthMode::kShape any key, signature and time are accepted, with kOff
// also none at all. Thread-safe.
std::optional<AuthError> authenticate(AuthMode mode, const HttpRequest& request,
                                      api::Caller& caller);

}  // namespace magneto::server
