#pragma once

#include <optional>

#include "api/operation.h"
#include "server/client/signing/auth_error.h"
#include "server/http/auth/auth_mode.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// Finds out who asks, from the Authorization header or, of a presigned request, from the query.
// Fills in `caller` with views into `request`, as far as region and access key can be read: those
// of a presigned request may hold percent escapes. With AuthMode::kShape a request must name an
// algorithm and a credential, of whatever form, and is else refused in AWS's words; with kOff
// nothing is demanded. Thread-safe.
std::optional<client::AuthError> authenticate(AuthMode mode, const HttpRequest& request,
                                              api::Caller& caller);

}  // namespace magneto::server::http
