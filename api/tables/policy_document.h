#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::api {

// In bytes, whitespace included (AWS API reference, PutResourcePolicy).
inline constexpr std::size_t kMaxPolicySize = 20'480;

enum class PolicySubject { kTable, kStream };

// Returns a resource policy in the form in which GetResourcePolicy returns it. Policies with the
// same meaning have the same text, but a missing Version stays missing. The text has no whitespace
// and its members are in a fixed order. A list of one element is just the element, and an account
// is an ARN.
//
// Throws ValidationException if DynamoDB refuses the policy (as observed on AWS, October 2026). It
// does not check whether principals exist, nor whether all actions do.
std::string canonical_policy(std::string_view text, PolicySubject subject);

}  // namespace magneto::api
