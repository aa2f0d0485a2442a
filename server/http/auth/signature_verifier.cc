#include "server/http/auth/signature_verifier.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "server/http/auth/messages.h"
#include "server/http/auth/strict_check.h"
#include "server/system/ignoring_case.h"

namespace magneto::server::http {
namespace {

using std::chrono::seconds;

// The first value of a header field; empty if it is missing.
std::string_view find_field(std::span<const client::HeaderField> fields, std::string_view name) {
  const auto found = std::ranges::find_if(fields, [&](const client::HeaderField& field) {
    return system::equals_ignoring_case(field.name, name);
  });
  return found == fields.end() ? std::string_view() : found->value;
}

std::string query_parameter(const SignatureForm& form, std::string_view name) {
  return client::unescape(
      client::find_query_parameter(form.uri, name).value_or(std::string_view()));
}

// Limits the number of fields and parameters, since the computation of a signature takes time for
// each.
std::optional<client::AuthError> check_counts(const SignatureForm& form,
                                              std::span<const client::HeaderField> fields) {
  if (fields.size() > kMaxSignableFields) return messages::too_many_fields(kMaxSignableFields);
  client::QueryReader query(form.uri);
  std::size_t parameters = 0;
  while (query.next()) ++parameters;
  if (parameters > kMaxSignableParameters) {
    return messages::too_many_query_parameters(kMaxSignableParameters);
  }
  return std::nullopt;
}

// The validity of a presigned request; nullopt unless the text is a number of seconds up to the
// maximum.
std::optional<seconds> read_expiry(std::string_view text) {
  std::uint32_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stop != end || count < 1 || seconds(count) > kMaxPresignedTime) {
    return std::nullopt;
  }
  return seconds(count);
}

// "15 min.", or seconds if the time is not a whole number of minutes.
std::string in_words(seconds time) {
  const auto minutes = std::chrono::floor<std::chrono::minutes>(time);
  if (minutes == time) return std::to_string(minutes.count()) + " min.";
  return std::to_string(time.count()) + " sec.";
}

std::optional<client::AuthError> check_time(const SignatureForm& form, client::SignatureTime now) {
  const std::optional<client::SignatureTime> signed_at = client::parse_time(form.date);
  if (!signed_at) {
    return client::AuthError{api::ErrorType::kIncompleteSignature, messages::kWrongDate(form.date)};
  }
  seconds good_for = kMaxClockSkew;
  if (form.presigned) {
    const std::string expires = query_parameter(form, "X-Amz-Expires");
    if (!expires.empty()) {
      const std::optional<seconds> read = read_expiry(expires);
      if (!read) return messages::wrong_expiry(expires, kMaxPresignedTime.count());
      good_for = *read;
    }
  }
  if (*signed_at < now - good_for) {
    return messages::signature_expired(form.date, client::format_time(now - good_for),
                                       client::format_time(now), in_words(good_for));
  }
  if (*signed_at > now + kMaxClockSkew) {
    return messages::signature_not_yet_current(form.date, client::format_time(now + kMaxClockSkew),
                                               client::format_time(now), in_words(kMaxClockSkew));
  }
  return std::nullopt;
}

std::optional<client::AuthError> check_token(const SignatureForm& form,
                                             std::span<const client::HeaderField> fields,
                                             const client::Credential& credential,
                                             client::SignatureTime now) {
  constexpr std::string_view kToken = "X-Amz-Security-Token";
  std::string token(find_field(fields, kToken));
  if (form.presigned && token.empty()) token = query_parameter(form, kToken);
  if (!client::equal_in_constant_time(token, credential.session_token))
    return messages::unknown_token();
  if (credential.expiration && now >= *credential.expiration) return messages::expired_token();
  return std::nullopt;
}

// Refuses signatures that leave out parts which an attacker could then exchange in transit.
std::optional<client::AuthError> check_coverage(std::span<const client::HeaderField> fields,
                                                std::span<const std::string_view> signed_headers) {
  if (signed_headers.empty()) return messages::too_many_signed_headers(client::kMaxSignedHeaders);
  if (!std::ranges::binary_search(signed_headers, "x-amz-target")) {
    return messages::unsigned_target();
  }
  const bool chooses = !find_field(fields, "X-Magneto-Namespace").empty();
  if (chooses && !std::ranges::binary_search(signed_headers, "x-magneto-namespace")) {
    return messages::unsigned_namespace();
  }
  const std::string_view body = find_field(fields, "X-Amz-Content-Sha256");
  if (body == "UNSIGNED-PAYLOAD" || body.starts_with("STREAMING-")) {
    return messages::unsigned_body(body);
  }
  return std::nullopt;
}

std::optional<client::AuthError> check_signature(const HttpRequest& request,
                                                 const SignatureForm& form,
                                                 std::span<const client::HeaderField> fields,
                                                 const client::Credential& credential,
                                                 client::SigningKeyCache& signing_keys) {
  std::string list(form.signed_headers);
  const std::vector<std::string_view> signed_headers = client::split_signed_headers(list);
  if (auto error = check_coverage(fields, signed_headers)) return error;
  const client::HexDigits body_hash(client::sha256(request.body));
  const client::SignableRequest signable{
      .method = "POST", .uri = form.uri, .fields = fields, .body_hash = body_hash.view()};
  const std::string canonical = client::canonical_request(signable, signed_headers);
  const client::SigningScope scope{.date = form.scope.date, .region = form.scope.region};
  const std::string to_sign = client::string_to_sign(form.date, scope, canonical);

  std::string name;
  name.reserve(form.credential.size());
  name.append(credential.access_key).append("/").append(scope.date).append("/");
  name.append(scope.region);
  std::optional<client::HmacKey> key = signing_keys.find(name);
  const bool is_new = !key.has_value();
  if (is_new) key = client::derive_signing_key(credential.secret_key, scope);
  if (!client::equal_in_constant_time(client::HexDigits(key->sign(to_sign)).view(),
                                      form.signature)) {
    return messages::signature_mismatch(canonical, to_sign);
  }
  if (is_new) signing_keys.keep(name, *key);
  return std::nullopt;
}

void name_caller(const Signer& signer, api::Caller& caller) {
  caller.region = signer.region;
  caller.access_key = signer.credential->access_key;
  caller.account = signer.credential->account;
  caller.principal_arn = signer.credential->principal_arn;
}

}  // namespace

std::optional<client::AuthError> SignatureVerifier::verify(HttpRequest& request,
                                                           api::Caller& caller) const {
  if (request.signer.credential == nullptr) {
    SignatureForm form;
    if (auto error = check_strictly(request, form)) return error;
    const std::vector<client::HeaderField> fields = request.kept_fields();
    if (auto error = check_counts(form, fields)) return error;
    const client::SignatureTime now = std::chrono::floor<seconds>(now_());
    if (auto error = check_time(form, now)) return error;
    const std::shared_ptr<const client::CredentialSet> set = credentials_();
    const auto found = set->by_access_key.find(form.scope.access_key);
    if (found == set->by_access_key.end()) return messages::unknown_token();
    const client::Credential& credential = found->second;
    if (auto error = check_token(form, fields, credential, now)) return error;
    if (auto error = check_signature(request, form, fields, credential, set->signing_keys)) {
      return error;
    }
    request.signer = {.credential = std::shared_ptr<const client::Credential>(set, &credential),
                      .region = std::string(form.scope.region)};
  }
  name_caller(request.signer, caller);
  return std::nullopt;
}

}  // namespace magneto::server::http
