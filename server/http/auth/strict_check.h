#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/client/signing/auth_error.h"
#include "server/client/signing/authorization.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// The parts of a request's signature, from its header or its query, after a check of their form.
// The views point into the request or into `text`.
struct SignatureForm {
  SignatureForm() = default;
  SignatureForm(const SignatureForm&) = delete;
  SignatureForm& operator=(const SignatureForm&) = delete;

  // Path and query, without_authority(). All views into them are based on this one.
  std::string_view uri;
  std::string_view algorithm;
  std::string_view credential;
  client::CredentialScope scope;    // of `credential`
  std::string_view signed_headers;  // separated by ";"
  std::string_view date;            // as in X-Amz-Date
  std::string_view signature;
  bool presigned = false;  // the signature was in the query
  std::string text;        // query parameters, without percent escapes
};

// Makes AWS's checks up to the form of the credentials, with AWS's messages (captured facts, error
// wire format; for date and scope, answers quoted in public). Does not compare keys and signatures.
// Fills in `form`. Thread-safe.
std::optional<client::AuthError> check_strictly(const HttpRequest& request, SignatureForm& form);

}  // namespace magneto::server::http
