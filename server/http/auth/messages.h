#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "server/client/signing/auth_error.h"

// AWS's sentences on signatures, and what users read about keys. Those that end with a blank stand one behind the other.
namespace magneto::server::http::messages {

inline constexpr const char* kNoToken = "Request is missing Authentication Token";
inline constexpr const char* kTwoSignatures =
    "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.";

std::string missing_parameter(std::string_view parameter);
inline constexpr std::string_view kNoDate =
    "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
std::string missing_query_parameter(std::string_view parameter);
std::string repeated_query_parameter(std::string_view parameter);
inline constexpr std::string_view kReexamineQuery = "Re-examine the query-string parameters.";

std::string wrong_date(std::string_view date);
inline constexpr const char* kHostNotSigned =
    "'Host' must be a 'SignedHeader' in the AWS Authorization.";
std::string wrong_algorithm(std::string_view algorithm);
std::string wrong_credential(std::string_view credential);

std::string wrong_region(std::string_view region);
inline constexpr std::string_view kWrongService =
    "Credential should be scoped to correct service: 'dynamodb'. ";
std::string wrong_terminator(std::string_view terminator);
inline constexpr std::string_view kWrongScopeDate =
    "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP. ";

// Of keys and signatures that were compared, as quoted in public.

client::AuthError signature_mismatch(std::string_view canonical_request,
                                     std::string_view string_to_sign);
// `limit` is the earliest time that is taken, `allowed` how it comes about: "15 min.".
client::AuthError signature_expired(std::string_view date, std::string_view limit,
                                    std::string_view now, std::string_view allowed);
client::AuthError signature_not_yet_current(std::string_view date, std::string_view limit,
                                            std::string_view now, std::string_view allowed);
client::AuthError unknown_token();
client::AuthError expired_token();

// Our own.
client::AuthError unsigned_target();
client::AuthError unsigned_namespace();
client::AuthError unsigned_body(std::string_view content_sha256);
client::AuthError too_many_signed_headers(std::size_t limit);
client::AuthError too_many_fields(std::size_t limit);
client::AuthError too_many_query_parameters(std::size_t limit);
client::AuthError wrong_expiry(std::string_view expires, long longest);

// The file of credentials, and its lines.
std::string cannot_read_credentials(std::string_view file, std::string_view problem);
std::string at_line(std::string_view file, std::size_t line, std::string_view problem);
std::string no_credentials(std::string_view file);
std::string missing_property(std::string_view profile, std::string_view property);
std::string wrong_property(std::string_view property, std::string_view form);
std::string repeated_property(std::string_view profile, std::string_view property);
std::string repeated_section(std::string_view section, std::size_t line);
std::string repeated_access_key(std::string_view profile, std::size_t line);
std::string other_account(std::string_view property, std::string_view other);
std::string kept_credentials(std::string_view problem);
std::string open_credentials(std::string_view file, unsigned mode);

// A file of users and roles; `problem` has the place in it.
std::string cannot_read_identities(std::string_view file, std::string_view problem);
std::string wrong_identities(std::string_view file, std::string_view problem);
// Of a file that was read again: `entries` are those of identity_of_key and identity_of_account.
std::string lost_identities(std::string_view file, std::span<const std::string> entries,
                            std::size_t left_out);
std::string kept_identities(std::string_view problem);
std::string identities_of_nobody(std::string_view file, std::span<const std::string> entries,
                                 std::size_t left_out);
// An entry of those.
std::string identity_of_key(std::string_view name, std::string_view access_key);
std::string identity_of_account(std::string_view name, bool is_role, std::string_view account);

}  // namespace magneto::server::http::messages
