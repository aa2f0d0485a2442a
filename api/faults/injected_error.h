#pragma once

#include <string_view>

#include "api/error.h"
#include "api/faults/faults.h"
#include "api/faults/rule_match.h"

namespace magneto::api {

// Makes the error as AWS would answer this call. It uses AWS's message unless the rule has its own.
// Throttling reasons get the ARNs of the throttled resources; a cancelled transaction gets a reason
// for each action.
ApiError make_error(const InjectedError& error, const FaultedCall& call,
                    const MatchedMembers& members);

// For reading rules: whether the type is a throttling error, and whether an error of the type can
// have such a reason.
bool is_throttling(ErrorType type);
bool has_reason(ErrorType type, std::string_view reason);

}  // namespace magneto::api
