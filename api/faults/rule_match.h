#pragma once

#include <bitset>
#include <optional>

#include "api/fault_verdict.h"
#include "api/faults/faults.h"

namespace magneto::api {

// The members of a batch or transaction, or the single item, that a rule targets.
using MatchedMembers = std::bitset<FaultVerdict::kMaxMembers>;

// The subjects of the call that match the rule; nullopt if the call does not match. Throws
// NeedsWorker.
std::optional<MatchedMembers> match_rule(const FaultRule& rule, const FaultedCall& call);

// Whether the operation can have the fault: only batches have members to leave out, and only
// transactions are cancelled.
bool may_happen(const Fault& fault, const Operation& operation);

}  // namespace magneto::api
