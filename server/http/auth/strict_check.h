#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/client/signing/auth_error.h"
#include "server/client/signing/authorization.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// What a request says of its signature, in its header or its query, once its form is checked. Views
// into the request or into `text`.
struct SignatureForm {
  SignatureForm() = default;
  SignatureForm(const SignatureForm&) = delete;
  SignatureForm& operator=(const SignatureForm&) = delete;

  std::string_view
      uri;  // path and query, without_authority(): all that is read of them is from here
  std::string_view algorithm;
  std::string_view credential;
  client::CredentialScope scope;    // of `credential`
  std::string_view signed_headers;  // set apart by ";"
  std::string_view date;            // as in X-Amz-Date
  std::string_view signature;
  bool presigned = false;  // it stood in the query
  std::string text;        // parameters of the query, without percent escapes
};

// AWS's checks up to the form of the credentials, with AWS's messages (captured facts, error wire
// format; of date and scope, answers quoted in public). Keys and signatures themselves are not
// compared. Fills in `form`. Thread-safe.
std::optional<client::AuthError> check_strictly(const HttpRequest& request, SignatureForm& form);

}  // namespace magneto::server::http
