#pragma once

#include <optional>

#include "api/operation.h"
#include "server/auth/auth_error.h"
#include "server/http_request.h"

namespace magneto::server {

// AWS's checks up to the form of the credentials, with AWS's messages (captured facts, error wire
// format; of date and scope, answers quoted in public). Keys and signatures themselves are not
// compared. Fills in `caller` with views into `request`. Thread-safe.
std::optional<AuthError> check_strictly(const HttpRequest& request, api::Caller& caller);

}  // namespace magneto::server
