#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace magneto::server::client {

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

// What a credential tells of its sender, whatever form it has otherwise.
struct ClaimedScope {
  std::string_view access_key;
  std::string_view region;  // empty: none can be read
};
// From the right, as a key may hold slashes: "key/date/region/service/terminator", without the
// region unless `has_region`. What has fewer elements begins with the key. `escaped`: the slashes
// may be percent escapes.
ClaimedScope read_scope(std::string_view credential, bool has_region, bool escaped);

// A text that can be a region of AWS's or an invented one.
bool is_region(std::string_view text);
// The number of an account: twelve digits. An access key that is one stands for that account.
bool is_account(std::string_view access_key);

// The text with its percent escapes resolved; what is none stays.
std::string unescape(std::string_view text);

// Path and query of what a request line names, from which alone they may be read: a proxy is sent
// the whole URL, "http://host/path?query" (RFC 9112, 3.2.2).
std::string_view without_authority(std::string_view uri);

// "name=value" of a query, as sent: with percent escapes.
struct QueryParameter {
  std::string_view name;
  std::string_view value;  // empty where there is no "="

  // Whether this is its name once percent escapes are resolved.
  bool is_named(std::string_view plain) const;
};

// The parameters of the query of a path, one after the other.
class QueryReader {
 public:
  explicit QueryReader(std::string_view uri);

  // nullopt behind the last one. What is empty between "&" is passed over.
  std::optional<QueryParameter> next();

 private:
  std::string_view rest_;
};

// The value of the first parameter of that name, as sent; nullopt when it is missing. `uri` is
// without_authority().
std::optional<std::string_view> find_query_parameter(std::string_view uri, std::string_view name);

}  // namespace magneto::server::client
