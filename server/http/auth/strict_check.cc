#include "server/http/auth/strict_check.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "server/client/signing/authorization.h"
#include "server/client/signing/signature.h"
#include "server/http/auth/messages.h"
#include "server/system/ignoring_case.h"

namespace magneto::server::http {
namespace {

client::AuthError incomplete(std::string message) {
  return {api::ErrorType::kIncompleteSignature, std::move(message)};
}

client::AuthError refuse_invalid(std::string message) {
  return {api::ErrorType::kInvalidSignature, std::move(message)};
}

bool is_host_signed(std::string_view signed_headers) {
  while (!signed_headers.empty()) {
    const std::string_view name = signed_headers.substr(0, signed_headers.find(';'));
    if (system::equals_ignoring_case(name, "host")) return true;
    signed_headers.remove_prefix(std::min(name.size() + 1, signed_headers.size()));
  }
  return false;
}

std::optional<client::AuthError> check_scope(const client::CredentialScope& scope,
                                             std::string_view date) {
  std::string wrong;
  if (!client::is_region(scope.region)) {
    wrong += messages::kWrongRegion(scope.region);
  }
  if (scope.service != "dynamodb") {
    wrong += messages::kWrongService;
  }
  if (scope.terminator != client::kScopeTerminator) {
    wrong += messages::kWrongTerminator(scope.terminator);
  }
  if (scope.date != date.substr(0, date.find('T'))) {
    wrong += messages::kWrongScopeDate;
  }
  if (wrong.empty()) return std::nullopt;
  return refuse_invalid(std::move(wrong));
}

// The checks have the order of AWS.
std::optional<client::AuthError> check_form(SignatureForm& form) {
  if (!client::has_time_form(form.date)) return incomplete(messages::kWrongDate(form.date));
  if (!is_host_signed(form.signed_headers)) {
    return refuse_invalid(messages::kHostNotSigned);
  }
  if (form.algorithm != client::kSignatureAlgorithm) {
    return incomplete(messages::kWrongAlgorithm(form.algorithm));
  }
  const std::optional<client::CredentialScope> scope = client::parse_credential(form.credential);
  if (!scope) return incomplete(messages::kWrongCredential(form.credential));
  form.scope = *scope;
  return check_scope(*scope, form.date);
}

std::optional<client::AuthError> check_header(const HttpRequest& request, SignatureForm& form) {
  const std::string_view header = request.get(Field::kAuthorization);
  const client::AuthorizationParameters parameters = client::parse_authorization(header);
  std::string missing;
  const auto require = [&missing](std::string_view value, std::string_view name) {
    if (value.empty()) missing += messages::kMissingParameter(name);
  };
  require(parameters.credential, "Credential");
  require(parameters.signature, "Signature");
  require(parameters.signed_headers, "SignedHeaders");
  if (!request.has(Field::kAmzDate) && !request.has(Field::kDate)) {
    missing += messages::kNoDate;
  }
  if (!missing.empty()) return incomplete(missing.append("Authorization=").append(header));
  form.algorithm = parameters.algorithm;
  form.credential = parameters.credential;
  form.signed_headers = parameters.signed_headers;
  form.signature = parameters.signature;
  form.date = request.get(request.has(Field::kAmzDate) ? Field::kAmzDate : Field::kDate);
  return check_form(form);
}

// Refuses repeated parameters: it is unclear which of two values was meant.
std::optional<client::AuthError> check_repetition(std::string_view uri) {
  std::vector<std::string> names;
  client::QueryReader query(uri);
  while (const std::optional<client::QueryParameter> parameter = query.next()) {
    std::string name = client::unescape(parameter->name);
    if (name.starts_with("X-Amz-")) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return std::nullopt;
  return incomplete(messages::kRepeatedQueryParameter(*twice).append(messages::kReexamineQuery));
}

std::optional<client::AuthError> check_query(SignatureForm& form) {
  static constexpr std::array<std::string_view, 5> kRequired = {
      "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders",
      "X-Amz-Date"};
  const std::array<std::string_view*, 5> targets = {
      &form.algorithm, &form.credential, &form.signature, &form.signed_headers, &form.date};
  form.presigned = true;
  form.text.reserve(form.uri.size());  // so that the text does not move
  std::string missing;
  for (std::size_t i = 0; i < kRequired.size(); ++i) {
    const std::string value = client::unescape(
        client::find_query_parameter(form.uri, kRequired[i]).value_or(std::string_view()));
    const std::size_t start = form.text.size();
    form.text.append(value);
    *targets[i] = std::string_view(form.text).substr(start);
    if (value.empty()) missing += messages::kMissingQueryParameter(kRequired[i]);
  }
  if (!missing.empty()) return incomplete(missing.append(messages::kReexamineQuery));
  if (auto error = check_repetition(form.uri)) return error;
  return check_form(form);
}

}  // namespace

std::optional<client::AuthError> check_strictly(const HttpRequest& request, SignatureForm& form) {
  form.uri = client::without_authority(request.get(Field::kUri));
  const std::string_view header = request.get(Field::kAuthorization);
  const bool presigned = client::find_query_parameter(form.uri, "X-Amz-Algorithm").has_value();
  if (presigned && !header.empty()) {
    return refuse_invalid(messages::kTwoSignatures);
  }
  if (presigned) return check_query(form);
  if (!header.starts_with("AWS4-")) {
    return client::AuthError{api::ErrorType::kMissingAuthenticationToken, messages::kNoToken};
  }
  return check_header(request, form);
}

}  // namespace magneto::server::http
