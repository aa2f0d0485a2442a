#pragma once

#include <optional>

#include "api/operation.h"
#include "server/client/signing/auth_error.h"
#include "server/http/auth/auth_mode.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// Finds the caller of a request in the Authorization header, or in the query of a presigned
// request. Fills in `caller` with views into `request`, as far as region and access key can be
// read. The views of a presigned request may hold percent escapes. With AuthMode::kShape a request
// must name an algorithm and a credential, in any form; otherwise it is refused in AWS's words.
// With kOff a request needs nothing. Thread-safe.
std::optional<client::AuthError> authenticate(AuthMode mode, const HttpRequest& request,
                                              api::Caller& caller);

}  // namespace magneto::server::http
