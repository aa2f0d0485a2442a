#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// Resource policies, their documents and revisions.
namespace magneto::api::messages {

std::string policy_not_found(std::string_view arn);
std::string policy_exists(std::string_view table, std::string_view revision);
std::string other_policy_revision(std::string_view expected, std::string_view table,
                                  std::string_view revision);
std::string no_policy_of_revision(std::string_view expected, std::string_view table);

// For a name that matches no table and no stream of the caller.
std::string stream_of_table_not_found(std::string_view label, std::string_view table);
inline constexpr std::string_view kOtherAccount =
    "This action is only supported by accounts that match the resource owner’s account.";
std::string invalid_resource_arn(std::string_view arn);

std::string policy_too_large(std::size_t most);
inline constexpr std::string_view kUnboundedPolicy =
    "Resource-based policy grants unbounded access in one or more elements. Please revise the policy to ensure least-privilege form of access";
inline constexpr std::string_view kInvalidPrincipal =
    "One or more parameter values were invalid: Invalid principal in policy document.";
std::string invalid_policy(std::string_view what);
// `what`: one of these.
inline constexpr std::string_view kPolicyNotJson = "This policy contains invalid Json";
inline constexpr std::string_view kNotAPolicy = "This text appears not to be a policy";
inline constexpr std::string_view kPolicySyntax = "Syntax errors in policy";
inline constexpr std::string_view kPolicyVersion = "The policy must contain a valid version string";
inline constexpr std::string_view kNoPolicyStatement =
    "Could not parse the policy: Statement is empty!";
inline constexpr std::string_view kRepeatedSid = "The Statement Ids in the policy are not unique";
std::string policy_syntax_error(std::size_t row, std::size_t column);
std::string missing_policy_field(std::string_view field);
std::string unknown_policy_field(std::string_view field);
std::string repeated_policy_field(std::string_view field);
std::string invalid_policy_effect(std::string_view effect);
std::string invalid_policy_resource(std::string_view resource);
// `id`: the resource, such as "table/books".
std::string foreign_policy_resource(std::string_view id, std::string_view resource);
std::string invalid_policy_actions(std::span<const std::string_view> actions);

}  // namespace magneto::api::messages
