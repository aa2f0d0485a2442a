#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "api/operation.h"
#include "server/client/signing/auth_error.h"
#include "server/client/signing/credentials.h"
#include "server/http/message/http_request.h"

namespace magneto::server::http {

// How far a client's clock may be off (AWS: "Signature expired ... - 15 min.").
inline constexpr std::chrono::minutes kMaxClockSkew{15};
// The longest time for which a presigned request is good (AWS, X-Amz-Expires: seven days).
inline constexpr std::chrono::seconds kMaxPresignedTime{std::chrono::hours{7 * 24}};

// More than any client sends; comparing a signature takes time for each.
inline constexpr std::size_t kMaxSignableFields = 256;
inline constexpr std::size_t kMaxSignableParameters = 128;

// Lets in who signed the request with one of the keys, by AWS's Signature Version 4, in a header or
// in the query of a presigned request. Thread-safe.
class SignatureVerifier {
 public:
  // Both are asked at each request.
  using CurrentCredentials = std::function<std::shared_ptr<const client::CredentialSet>()>;
  using Now = std::function<std::chrono::system_clock::time_point()>;

  SignatureVerifier(CurrentCredentials credentials, Now now)
      : credentials_(std::move(credentials)), now_(std::move(now)) {}

  // Checks, in this order, the form of the signature, how much there is to sign, time, access key, session token, and last the
  // signature itself, which covers the body as it was sent; why the request is refused. Else
  // `caller` has views into `request`, whose signer is set, so that a call that is made once more
  // is not verified again: its body may have changed since. `request` must have kept its fields.
  std::optional<client::AuthError> verify(HttpRequest& request, api::Caller& caller) const;

 private:
  const CurrentCredentials credentials_;
  const Now now_;
};

}  // namespace magneto::server::http
