#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "server/client/signing/auth_error.h"
#include "server/system/sentence.h"

// AWS's sentences about signatures, and the server's messages about keys. Sentences that end with a
// blank are joined one after the other.
namespace magneto::server::http::messages {

inline constexpr const char* kNoToken = "Request is missing Authentication Token";
inline constexpr const char* kTwoSignatures =
    "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.";

inline constexpr system::Sentence<1> kMissingParameter{
    "Authorization header requires '{parameter}' parameter. "};
inline constexpr std::string_view kNoDate =
    "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
inline constexpr system::Sentence<1> kMissingQueryParameter{
    "AWS query-string parameters must include '{parameter}'. "};
inline constexpr system::Sentence<1> kRepeatedQueryParameter{
    "AWS query-string parameters must include '{parameter}' only once. "};
inline constexpr std::string_view kReexamineQuery = "Re-examine the query-string parameters.";

inline constexpr system::Sentence<1> kWrongDate{
    "Date must be in ISO-8601 'basic format'. Got '{date}'. See http://en.wikipedia.org/wiki/ISO_8601"};
inline constexpr const char* kHostNotSigned =
    "'Host' must be a 'SignedHeader' in the AWS Authorization.";
inline constexpr system::Sentence<1> kWrongAlgorithm{
    "Unsupported AWS 'algorithm': '{algorithm}' (only AWS4-HMAC-SHA256 for now). "};
inline constexpr system::Sentence<1> kWrongCredential{
    "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '{credential}'"};

inline constexpr system::Sentence<1> kWrongRegion{
    "Credential should be scoped to a valid region, not '{region}'. "};
inline constexpr std::string_view kWrongService =
    "Credential should be scoped to correct service: 'dynamodb'. ";
inline constexpr system::Sentence<1> kWrongTerminator{
    "Credential should be scoped with a valid terminator: 'aws4_request', not '{terminator}'. "};
inline constexpr std::string_view kWrongScopeDate =
    "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP. ";

// Errors after a comparison of keys and signatures, as quoted in public.

client::AuthError signature_mismatch(std::string_view canonical_request,
                                     std::string_view string_to_sign);
// `limit` is the earliest accepted time; `allowed` is the length of the allowance, such as "15
// min.".
client::AuthError signature_expired(std::string_view date, std::string_view limit,
                                    std::string_view now, std::string_view allowed);
client::AuthError signature_not_yet_current(std::string_view date, std::string_view limit,
                                            std::string_view now, std::string_view allowed);
client::AuthError unknown_token();
client::AuthError expired_token();

// Magneto's own errors.
client::AuthError unsigned_target();
client::AuthError unsigned_namespace();
client::AuthError unsigned_body(std::string_view content_sha256);
client::AuthError too_many_signed_headers(std::size_t limit);
client::AuthError too_many_fields(std::size_t limit);
client::AuthError too_many_query_parameters(std::size_t limit);
client::AuthError wrong_expiry(std::string_view expires, long longest);

// Errors in the credentials file and in its lines.
inline constexpr system::Sentence<2> kCannotReadCredentials{
    "cannot read credentials from {file} (--credentials): {problem}"};
inline constexpr system::Sentence<3> kAtLine{"{file}:{line}: {problem}"};
inline constexpr system::Sentence<1> kNoCredentials{
    "{file} (--credentials) holds no profile with aws_access_key_id and aws_secret_access_key"};
inline constexpr system::Sentence<2> kMissingProperty{"profile [{profile}] has no {property}"};
inline constexpr system::Sentence<2> kWrongProperty{"{property} must be {form}"};
inline constexpr system::Sentence<2> kRepeatedProperty{"profile [{profile}] has {property} twice"};
inline constexpr system::Sentence<2> kRepeatedSection{"[{section}] also begins in line {line}"};
inline constexpr system::Sentence<2> kRepeatedAccessKey{
    "profile [{profile}] in line {line} has the same aws_access_key_id"};
inline constexpr system::Sentence<2> kOtherAccount{"{property} names another account than {other}"};
inline constexpr system::Sentence<1> kKeptCredentials{
    "{problem}; the credentials read before stay in use"};
std::string open_credentials(std::string_view file, unsigned mode);

// Errors in the file of users and roles; `problem` contains the place in it.
inline constexpr system::Sentence<2> kCannotReadIdentities{
    "cannot read users and roles from {file} (--iam): {problem}"};
inline constexpr system::Sentence<2> kWrongIdentities{"{file}: {problem}"};
// About a file that was read again. `entries` are texts of kIdentityOfKey and identity_of_account.
std::string lost_identities(std::string_view file, std::span<const std::string> entries,
                            std::size_t left_out);
inline constexpr system::Sentence<1> kKeptIdentities{
    "{problem}; the policies read before stay in use"};
std::string identities_of_nobody(std::string_view file, std::span<const std::string> entries,
                                 std::size_t left_out);
// One entry for the two functions above.
inline constexpr system::Sentence<2> kIdentityOfKey{"{name} by the access key {access_key}"};
std::string identity_of_account(std::string_view name, bool is_role, std::string_view account);

}  // namespace magneto::server::http::messages
