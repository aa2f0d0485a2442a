#include "server/client/signing/signature.h"

#include <absl/strings/ascii.h>
#include <absl/time/time.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace magneto::server::client {
namespace {

constexpr std::string_view kTimeForm = "00000000T000000Z";
constexpr std::size_t kDateDigits = 8;

// The number of some digits.
int number_of(std::string_view digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

void append_scope(const SigningScope& scope, std::string& text) {
  text.append(scope.date).append("/").append(scope.region).append("/");
  text.append(scope.service).append("/").append(kScopeTerminator);
}

std::string signed_header_list(std::span<const HeaderField> fields) {
  std::string list;
  for (const HeaderField& field : fields) list.append(field.name).append(";");
  return list;
}

}  // namespace

std::string format_time(SignatureTime time) {
  return absl::FormatTime("%E4Y%m%dT%H%M%SZ",
                          absl::FromUnixSeconds(time.time_since_epoch().count()),
                          absl::UTCTimeZone());
}

bool has_time_form(std::string_view text) {
  return std::ranges::equal(text, kTimeForm, [](char c, char form) {
    return form == '0' ? absl::ascii_isdigit(c) : c == form;
  });
}

std::optional<SignatureTime> parse_time(std::string_view text) {
  if (!has_time_form(text)) return std::nullopt;
  const auto part = [&](std::size_t start) {
    return static_cast<unsigned>(number_of(text.substr(start, 2)));
  };
  const std::chrono::year_month_day date(std::chrono::year(number_of(text.substr(0, 4))),
                                         std::chrono::month(part(4)), std::chrono::day(part(6)));
  if (!date.ok() || part(9) > 23 || part(11) > 59 || part(13) > 59) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(part(9)) +
         std::chrono::minutes(part(11)) + std::chrono::seconds(part(13));
}

HmacKey derive_signing_key(std::string_view secret_key, const SigningScope& scope) {
  std::string secret = "AWS4";
  secret.append(secret_key);
  const HmacKey of_date(HmacKey(secret).sign(scope.date));
  const HmacKey of_region(of_date.sign(scope.region));
  const HmacKey of_service(of_region.sign(scope.service));
  return HmacKey(of_service.sign(kScopeTerminator));
}

std::string string_to_sign(std::string_view time, const SigningScope& scope,
                           std::string_view canonical_request) {
  std::string text;
  text.reserve(192);
  text.append(kSignatureAlgorithm).append("\n").append(time).append("\n");
  append_scope(scope, text);
  text += '\n';
  text.append(HexDigits(sha256(canonical_request)).view());
  return text;
}

std::vector<OwnedField> sign_request(SignableRequest request, std::string_view body,
                                     const SigningCredentials& credentials, SigningScope scope,
                                     SignatureTime time) {
  const std::string date = format_time(time);
  std::vector<HeaderField> fields(request.fields.begin(), request.fields.end());
  fields.push_back({"X-Amz-Date", date});
  if (!credentials.session_token.empty()) {
    fields.push_back({"X-Amz-Security-Token", credentials.session_token});
  }
  std::string list = signed_header_list(fields);
  const std::vector<std::string_view> names = split_signed_headers(list);
  request.fields = fields;
  std::optional<HexDigits> body_hash;
  if (request.body_hash.empty()) request.body_hash = body_hash.emplace(sha256(body)).view();
  scope.date = std::string_view(date).substr(0, kDateDigits);
  const Sha256 signature =
      derive_signing_key(credentials.secret_key, scope)
          .sign(string_to_sign(date, scope, canonical_request(request, names)));

  std::string authorization(kSignatureAlgorithm);
  authorization.append(" Credential=").append(credentials.access_key).append("/");
  append_scope(scope, authorization);
  authorization.append(", SignedHeaders=");
  append_list(names, authorization);
  authorization.append(", Signature=");
  authorization.append(HexDigits(signature).view());
  std::vector<OwnedField> added = {{"X-Amz-Date", date}};
  if (!credentials.session_token.empty()) {
    added.push_back({"X-Amz-Security-Token", std::string(credentials.session_token)});
  }
  added.push_back({"Authorization", std::move(authorization)});
  return added;
}

}  // namespace magneto::server::client
