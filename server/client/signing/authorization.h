#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::client {

// The parts of an Authorization header, "AWS4-HMAC-SHA256 Credential=.., ...". They are views into
// the header; empty if missing.
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
// Returns nullopt unless there are exactly five elements; trailing slashes are ignored.
std::optional<CredentialScope> parse_credential(std::string_view credential);

// The sender in a credential of any form.
struct ClaimedScope {
  std::string_view access_key;
  std::string_view region;  // empty if it cannot be read
};
// Reads the credential from the right, since a key may contain slashes:
// "key/date/region/service/terminator", without the region unless `has_region`. A shorter
// credential begins with the key. `escaped`: the slashes may be percent escapes.
ClaimedScope read_scope(std::string_view credential, bool has_region, bool escaped);

// Whether a text can be a region of AWS or an invented one.
bool is_region(std::string_view text);
// Whether an access key is an account number: twelve digits. Such a key stands for that account.
bool is_account(std::string_view access_key);

// Resolves the percent escapes of a text; invalid ones stay unchanged.
std::string unescape(std::string_view text);

// Returns path and query of the target in a request line. A proxy gets the whole URL,
// "http://host/path?query" (RFC 9112, 3.2.2).
std::string_view without_authority(std::string_view uri);

// A "name=value" of a query, as sent: with percent escapes.
struct QueryParameter {
  std::string_view name;
  std::string_view value;  // empty without "="

  // Whether this is the parameter's name, with its percent escapes resolved.
  bool is_named(std::string_view plain) const;
};

// The parameters of the query of a path, one after the other.
class QueryReader {
 public:
  explicit QueryReader(std::string_view uri);

  // Returns nullopt after the last one. Skips empty parts between "&".
  std::optional<QueryParameter> next();

 private:
  std::string_view rest_;
};

// Returns the value of the first parameter with that name, as sent; nullopt if it is missing. `uri`
// is without_authority().
std::optional<std::string_view> find_query_parameter(std::string_view uri, std::string_view name);

}  // namespace magneto::server::client
