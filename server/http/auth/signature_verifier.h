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
// The longest validity of a presigned request (AWS, X-Amz-Expires: seven days).
inline constexpr std::chrono::seconds kMaxPresignedTime{std::chrono::hours{7 * 24}};

// More than any client sends. A limit is needed because the comparison of a signature takes time
// for each one.
inline constexpr std::size_t kMaxSignableFields = 256;
inline constexpr std::size_t kMaxSignableParameters = 128;

// Verifies that a request is signed with one of the keys, by AWS's Signature Version 4, in a header
// or in the query of a presigned request. Thread-safe.
class SignatureVerifier {
 public:
  // Both functions are called for each request.
  using CurrentCredentials = std::function<std::shared_ptr<const client::CredentialSet>()>;
  using Now = std::function<std::chrono::system_clock::time_point()>;

  SignatureVerifier(CurrentCredentials credentials, Now now)
      : credentials_(std::move(credentials)), now_(std::move(now)) {}

  // Returns the reason for which the request is refused. The checks run in this order: form of the
  // signature, amount of signed data, time, access key, session token, and last the signature
  // itself. The signature covers the body as it was sent.
  // If the request is accepted, `caller` has views into `request`, and the request's signer is set.
  // A repeated call for the same request is then not verified again, because its body may have
  // changed since. `request` must have kept its fields.
  std::optional<client::AuthError> verify(HttpRequest& request, api::Caller& caller) const;

 private:
  const CurrentCredentials credentials_;
  const Now now_;
};

}  // namespace magneto::server::http
