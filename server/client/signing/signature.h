#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/signing/canonical_request.h"
#include "server/client/signing/sha256.h"

namespace magneto::server::client {

// AWS's Signature Version 4 as pure functions: servers and clients compute the same signatures.

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";

// The scope in which a signing key is valid.
struct SigningScope {
  std::string_view date;  // "20260101"
  std::string_view region;
  std::string_view service = "dynamodb";
};

using SignatureTime = std::chrono::sys_seconds;
// Formats as ISO 8601 in the basic format, "20260101T235959Z"; the year has four digits.
std::string format_time(SignatureTime time);
// Whether the text has that form, even with an impossible time.
bool has_time_form(std::string_view text);
// Returns nullopt for another form, and for an impossible date or time of day.
std::optional<SignatureTime> parse_time(std::string_view text);

// Costs four HMACs, so keep the key. It is valid for the scope's day.
HmacKey derive_signing_key(std::string_view secret_key, const SigningScope& scope);

// `time` has the format of format_time().
std::string string_to_sign(std::string_view time, const SigningScope& scope,
                           std::string_view canonical_request);

// The secrets of a client.
struct SigningCredentials {
  std::string_view access_key;
  std::string_view secret_key;
  std::string_view session_token = {};  // empty if there is none
};

struct OwnedField {
  std::string name;
  std::string value;
};

// Returns the fields to send beside those of `request`: X-Amz-Date, Authorization and, if there is
// a token, X-Amz-Security-Token. All fields of `request` are signed. They must contain a Host and
// be fewer than kMaxSignedHeaders. `scope.date` is taken from `time`, and a missing
// `request.body_hash` from `body`.
std::vector<OwnedField> sign_request(SignableRequest request, std::string_view body,
                                     const SigningCredentials& credentials, SigningScope scope,
                                     SignatureTime time);

}  // namespace magneto::server::client
