#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Refusals by policies, and errors in policies and in files of policies. Errors are reported with
// their position to the author of the policy.
namespace magneto::api::messages {

// AWS IAM user guide, "Troubleshoot access denied error messages". `kind`: "identity-based policy".
// `reason`: the result of one of the next two functions.
std::string not_authorized(std::string_view principal, std::string_view action,
                           std::string_view resource, std::string_view reason);
std::string nothing_allows(std::string_view kind, std::string_view action);
std::string explicitly_denied(std::string_view article_and_kind);
// The reason if a decision takes too long.
inline constexpr std::string_view kTooMuchToDecide =
    "because its policies take too long to be compared with the request";

// `place` may be empty.
std::string at_place(std::string_view place, std::string_view problem);
// `problem` begins with a place; `place` is put before it.
std::string at_place_within(std::string_view place, std::string_view problem);

inline constexpr std::string_view kNotJson = "This is not JSON";
inline constexpr std::string_view kNotAnObject = "An object is expected here";
inline constexpr std::string_view kNotAList = "A list is expected here";
inline constexpr std::string_view kNotTexts = "A string, or a list of strings, is expected here";
inline constexpr std::string_view kNotAText = "A string is expected here";
inline constexpr std::string_view kNotAnAccount = "An account is twelve digits";
inline constexpr std::string_view kWrongName = "A name, without a path, is expected here";
inline constexpr std::string_view kKeysAndAccount =
    "AccessKeys and Account exclude each other: the account is that of the keys";
inline constexpr std::string_view kWrongEffect = "Effect is Allow or Deny";
inline constexpr std::string_view kWrongVersion = "Version is 2012-10-17 or 2008-10-17";
inline constexpr std::string_view kNoStatement = "A statement is expected here";
inline constexpr std::string_view kPrincipalOfIdentity =
    "Principal and NotPrincipal belong to policies of resources";
inline constexpr std::string_view kWrongPrincipal = "A principal cannot be empty";
std::string unknown_member(std::string_view name);
// `nearest`: the name that was probably meant; empty if no name is near.
std::string unknown_member(std::string_view name, std::string_view nearest);
std::string repeated_member(std::string_view name);
std::string unknown_group(std::string_view name);
std::string too_many_groups(std::size_t most);
std::string one_of_two(std::string_view name, std::string_view other);
std::string not_an_action(std::string_view text);
std::string not_a_resource(std::string_view text);
std::string unknown_operator(std::string_view name);
std::string wrong_condition_value(std::string_view value, std::string_view form);
std::string repeated_access_key(std::string_view key);

}  // namespace magneto::api::messages
