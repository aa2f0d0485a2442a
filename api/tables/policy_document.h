#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::api {

// Of the text as it was sent, whitespace included (AWS API reference, PutResourcePolicy).
inline constexpr std::size_t kMaxPolicySize = 20'480;

enum class PolicySubject { kTable, kStream };

// A resource policy as GetResourcePolicy returns it: without whitespace, members in one order, what
// is alone in a list without the list, accounts as ARNs, so that texts that mean the same are
// equal; but one without a version has none. Throws ValidationException for one that DynamoDB refuses (as observed on AWS, October 2026).
// Whether principals exist is not known here, nor every name of an action.
std::string canonical_policy(std::string_view text, PolicySubject subject);

}  // namespace magneto::api
