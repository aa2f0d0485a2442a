#include "server/auth/strict_check.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "server/auth/authorization.h"
#include "server/auth/messages.h"

namespace magneto::server {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

AuthError incomplete(std::string message) {
  return {api::ErrorType::kIncompleteSignature, std::move(message)};
}

AuthError invalid(std::string message) {
  return {api::ErrorType::kInvalidSignature, std::move(message)};
}

// What is signed and how, wherever it was found.
struct SignatureForm {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;  // set apart by ";" or, in a query, by "%3B"
  std::string_view date;
};

// ISO 8601 in the basic format: "20260101T000000Z".
bool is_basic_date(std::string_view date) {
  constexpr std::string_view kForm = "00000000T000000Z";
  return std::ranges::equal(
      date, kForm, [](char c, char form) { return form == '0' ? is_digit(c) : c == form; });
}

bool is_host_signed(std::string_view signed_headers) {
  constexpr std::string_view kHost = "host";
  const auto is_letter = [](char c, char letter) { return c == letter || c == letter - 'a' + 'A'; };
  while (!signed_headers.empty()) {
    const std::size_t end = std::min(signed_headers.find_first_of(";%"), signed_headers.size());
    if (std::ranges::equal(signed_headers.substr(0, end), kHost, is_letter)) return true;
    const std::size_t separator = signed_headers.substr(end).starts_with('%') ? 3 : 1;
    signed_headers.remove_prefix(std::min(end + separator, signed_headers.size()));
  }
  return false;
}

void apply_scope(const CredentialScope& scope, api::Caller& caller) {
  caller.region = scope.region;
  caller.access_key = scope.access_key;
  if (is_account(scope.access_key)) caller.account = scope.access_key;
}

std::optional<AuthError> check_scope(const CredentialScope& scope, std::string_view date) {
  std::string wrong;
  if (!is_region(scope.region)) {
    wrong += messages::wrong_region(scope.region);
  }
  if (scope.service != "dynamodb") {
    wrong += messages::kWrongService;
  }
  if (scope.terminator != "aws4_request") {
    wrong += messages::wrong_terminator(scope.terminator);
  }
  if (scope.date != date.substr(0, date.find('T'))) {
    wrong += messages::kWrongScopeDate;
  }
  if (wrong.empty()) return std::nullopt;
  return invalid(std::move(wrong));
}

// In the order of AWS.
std::optional<AuthError> check_form(const SignatureForm& form, api::Caller& caller) {
  if (!is_basic_date(form.date)) {
    return incomplete(messages::wrong_date(form.date));
  }
  if (!is_host_signed(form.signed_headers)) {
    return invalid(messages::kHostNotSigned);
  }
  if (form.algorithm != "AWS4-HMAC-SHA256") {
    return incomplete(messages::wrong_algorithm(form.algorithm));
  }
  const std::optional<CredentialScope> scope = parse_credential(form.credential);
  if (!scope) return incomplete(messages::wrong_credential(form.credential));
  if (std::optional<AuthError> error = check_scope(*scope, form.date)) return error;
  apply_scope(*scope, caller);
  return std::nullopt;
}

std::optional<AuthError> check_header(const HttpRequest& request, api::Caller& caller) {
  const std::string_view header = request.get(Field::kAuthorization);
  const AuthorizationParameters parameters = parse_authorization(header);
  std::string missing;
  const auto require = [&missing](std::string_view value, std::string_view name) {
    if (value.empty()) missing += messages::missing_parameter(name);
  };
  require(parameters.credential, "Credential");
  require(parameters.signature, "Signature");
  require(parameters.signed_headers, "SignedHeaders");
  if (!request.has(Field::kAmzDate) && !request.has(Field::kDate)) {
    missing += messages::kNoDate;
  }
  if (!missing.empty()) return incomplete(missing.append("Authorization=").append(header));
  const std::string_view date =
      request.get(request.has(Field::kAmzDate) ? Field::kAmzDate : Field::kDate);
  return check_form({parameters.algorithm, parameters.credential, parameters.signed_headers, date},
                    caller);
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
    missing += messages::missing_query_parameter(name);
  }
  if (!missing.empty()) return incomplete(missing.append(messages::kReexamineQuery));
  const std::string_view escaped = *find_query_parameter(uri, "X-Amz-Credential");
  const std::string credential = unescape_slashes(escaped);
  api::Caller found;
  const SignatureForm form{.algorithm = *find_query_parameter(uri, "X-Amz-Algorithm"),
                           .credential = credential,
                           .signed_headers = *find_query_parameter(uri, "X-Amz-SignedHeaders"),
                           .date = *find_query_parameter(uri, "X-Amz-Date")};
  if (std::optional<AuthError> error = check_form(form, found)) return error;
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

std::optional<AuthError> check_strictly(const HttpRequest& request, api::Caller& caller) {
  const std::string_view uri = request.get(Field::kUri);
  const std::string_view header = request.get(Field::kAuthorization);
  const bool presigned = find_query_parameter(uri, "X-Amz-Algorithm").has_value();
  if (presigned && !header.empty()) {
    return invalid(messages::kTwoSignatures);
  }
  if (presigned) return check_query(uri, caller);
  if (!header.starts_with("AWS4-")) {
    return AuthError{api::ErrorType::kMissingAuthenticationToken, messages::kNoToken};
  }
  return check_header(request, caller);
}

}  // namespace magneto::server
