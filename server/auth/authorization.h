#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace magneto::server {

// The parts of an Authorization header, "AWS4-HMAC-SHA256 Credential=.., ...". Views into the
// header; empty when missing.
struct AuthorizationParameters {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signature;
  std::string_view signed_headers;
};
AuthorizationParameters parse_authorization(std::string_view header);

// "key/date/region/service/terminator".
struct CredentialScope {
  std::string_view access_key;
  std::string_view date;
  std::string_view region;
  std::string_view service;
  std::string_view terminator;
};
// nullopt unless there are exactly five elements; trailing slashes are ignored.
std::optional<CredentialScope> parse_credential(std::string_view credential);

// The parameter of a URI's query, as sent (percent escapes are kept); nullopt when it is missing.
std::optional<std::string_view> find_query_parameter(std::string_view uri, std::string_view name);

}  // namespace magneto::server
