#include "server/auth/authenticator.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "server/auth/authorization.h"

namespace magneto::server {
namespace {

constexpr std::size_t kMaxRegionLength = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_account(std::string_view access_key) {
  return access_key.size() == 12 && std::all_of(access_key.begin(), access_key.end(), is_digit);
}

bool is_region(std::string_view region) {
  return !region.empty() && region.size() <= kMaxRegionLength &&
         std::all_of(region.begin(), region.end(), [](char c) {
           return is_digit(c) || c == '-' || c == '_' || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z');
         });
}

AuthError incomplete(std::string message) {
  return {api::ErrorType::kIncompleteSignature, std::move(message)};
}

std::optional<AuthError> apply_scope(const CredentialScope& scope, api::Caller& caller) {
  if (!is_region(scope.region)) {
    return AuthError{
        api::ErrorType::kInvalidSignature,
        "Credential should be scoped to a valid region, not '" + std::string(scope.region) + "'. "};
  }
  caller.region = scope.region;
  caller.access_key = scope.access_key;
  if (is_account(scope.access_key)) caller.account = scope.access_key;
  return std::nullopt;
}

std::optional<AuthError> apply_credential(std::string_view credential, api::Caller& caller) {
  const std::optional<CredentialScope> scope = parse_credential(credential);
  if (!scope) {
    return incomplete(
        "Credential must have exactly 5 slash-delimited elements, e.g. "
        "keyid/date/region/service/term, got '" +
        std::string(credential) + "'");
  }
  return apply_scope(*scope, caller);
}

std::optional<AuthError> check_header(const HttpRequest& request, api::Caller& caller) {
  const std::string_view header = request.get(Field::kAuthorization);
  const AuthorizationParameters parameters = parse_authorization(header);
  std::string missing;
  const auto require = [&missing](std::string_view value, std::string_view name) {
    if (!value.empty()) return;
    missing.append("Authorization header requires '").append(name).append("' parameter. ");
  };
  require(parameters.credential, "Credential");
  require(parameters.signature, "Signature");
  require(parameters.signed_headers, "SignedHeaders");
  if (!request.has(Field::kAmzDate) && !request.has(Field::kDate)) {
    missing.append(
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (!missing.empty()) return incomplete(missing.append("Authorization=").append(header));
  return apply_credential(parameters.credential, caller);
}

// In a query the slashes of the credential may be escaped.
std::string unescape_slashes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view escape = text.substr(i, 3);
    const bool slash = escape == "%2F" || escape == "%2f";
    plain += slash ? '/' : text[i];
    if (slash) i += 2;
  }
  return plain;
}

std::optional<AuthError> check_query(std::string_view uri, api::Caller& caller) {
  static constexpr std::array<std::string_view, 5> kRequired = {
      "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders",
      "X-Amz-Date"};
  std::string missing;
  for (const std::string_view name : kRequired) {
    if (!find_query_parameter(uri, name).value_or(std::string_view()).empty()) continue;
    missing.append("AWS query-string parameters must include '").append(name).append("'. ");
  }
  if (!missing.empty()) {
    return incomplete(missing.append("Re-examine the query-string parameters."));
  }
  const std::string_view escaped = *find_query_parameter(uri, "X-Amz-Credential");
  const std::string credential = unescape_slashes(escaped);
  api::Caller found;
  if (std::optional<AuthError> error = apply_credential(credential, found)) return error;
  // Region and key hold no slash, so they stand in the query as they are: point there.
  const auto in_query = [&](std::string_view part) {
    return escaped.substr(escaped.find(part), part.size());
  };
  caller.region = in_query(found.region);
  caller.access_key = in_query(found.access_key);
  if (is_account(caller.access_key)) caller.account = caller.access_key;
  return std::nullopt;
}

}  // namespace

std::optional<AuthError> authenticate(AuthMode mode, const HttpRequest& request,
                                      api::Caller& caller) {
  const std::string_view uri = request.get(Field::kUri);
  const std::string_view header = request.get(Field::kAuthorization);
  if (mode == AuthMode::kOff) {
    // Nothing is demanded, but who names a region and a key is taken at the word.
    const std::optional<CredentialScope> scope =
        parse_credential(parse_authorization(header).credential);
    if (scope && is_region(scope->region)) apply_scope(*scope, caller);
    return std::nullopt;
  }
  const bool presigned = find_query_parameter(uri, "X-Amz-Algorithm").has_value();
  if (presigned && !header.empty()) {
    return AuthError{api::ErrorType::kInvalidSignature,
                     "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as "
                     "HTTP header."};
  }
  if (presigned) return check_query(uri, caller);
  if (!header.starts_with("AWS4-")) {
    return AuthError{api::ErrorType::kMissingAuthenticationToken,
                     "Request is missing Authentication Token"};
  }
  return check_header(request, caller);
}

}  // namespace magneto::server
