#pragma once

#include <string_view>

#include "api/error.h"
#include "api/faults/faults.h"
#include "api/faults/rule_match.h"

namespace magneto::api {

// The error as AWS answers it to this call: its own words unless the rule has others, reasons of
// throttling with the ARNs of what is throttled, reasons of a cancelled transaction for each action.
ApiError make_error(const InjectedError& error, const FaultedCall& call,
                    const MatchedMembers& members);

// Whether an error of that type has such a reason, for who reads rules.
bool is_throttling(ErrorType type);
bool has_reason(ErrorType type, std::string_view reason);

}  // namespace magneto::api
