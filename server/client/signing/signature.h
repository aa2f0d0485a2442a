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

// AWS's Signature Version 4, as pure functions: servers and clients compute the same.

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";

// What a key that signs is good for.
struct SigningScope {
  std::string_view date;  // "20260101"
  std::string_view region;
  std::string_view service = "dynamodb";
};

using SignatureTime = std::chrono::sys_seconds;
// ISO 8601 in the basic format, "20260101T235959Z"; the year has four digits.
std::string format_time(SignatureTime time);
// Whether the text has that form, whatever the time.
bool has_time_form(std::string_view text);
// nullopt for another form, and for what is no date or time of day.
std::optional<SignatureTime> parse_time(std::string_view text);

// Costs four times HMAC, so it is worth keeping; it is good for the scope's day.
HmacKey derive_signing_key(std::string_view secret_key, const SigningScope& scope);

// `time` as format_time() gives it.
std::string string_to_sign(std::string_view time, const SigningScope& scope,
                           std::string_view canonical_request);

// The secrets of a client.
struct SigningCredentials {
  std::string_view access_key;
  std::string_view secret_key;
  std::string_view session_token = {};  // empty: none
};

struct OwnedField {
  std::string name;
  std::string value;
};

// The fields to send beside those of `request`, which are all signed, have a Host and are fewer than
// kMaxSignedHeaders: X-Amz-Date, X-Amz-Security-Token if there is one, Authorization. `scope.date`
// is taken from `time`, `request.body_hash`, unless it is there, from `body`.
std::vector<OwnedField> sign_request(SignableRequest request, std::string_view body,
                                     const SigningCredentials& credentials, SigningScope scope,
                                     SignatureTime time);

}  // namespace magneto::server::client
