#pragma once

#include <string>
#include <string_view>

// AWS's sentences on signatures. Those that end with a blank stand one behind the other.
namespace magneto::server::messages {

inline constexpr const char* kNoToken = "Request is missing Authentication Token";
inline constexpr const char* kTwoSignatures =
    "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.";

std::string missing_parameter(std::string_view parameter);
inline constexpr std::string_view kNoDate =
    "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
std::string missing_query_parameter(std::string_view parameter);
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

}  // namespace magneto::server::messages
