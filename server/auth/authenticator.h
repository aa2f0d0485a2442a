#pragma once

#include <optional>

#include "api/operation.h"
#include "server/auth/auth_error.h"
#include "server/config.h"
#include "server/http_request.h"

namespace magneto::server {

// Finds out who asks, from the Authorization header or, of a presigned request, from the query.
// Fills in `caller` with views into `request`, as far as region and access key can be read: those
// of a presigned request may hold percent escapes. With AuthMode::kShape a request must name an
// algorithm and a credential, of whatever form, and is else refused in AWS's words; with kOff
// nothing is demanded. Thread-safe.
std::optional<AuthError> authenticate(AuthMode mode, const HttpRequest& request,
                                      api::Caller& caller);

}  // namespace magneto::server
