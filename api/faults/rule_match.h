#pragma once

#include <bitset>
#include <optional>

#include "api/fault_verdict.h"
#include "api/faults/faults.h"

namespace magneto::api {

// The members of a batch or transaction, or the one item, at which a rule aims.
using MatchedMembers = std::bitset<FaultVerdict::kMaxMembers>;

// Which subjects of the call match the rule; nullopt when the call does not. Throws NeedsWorker.
std::optional<MatchedMembers> match_rule(const FaultRule& rule, const FaultedCall& call);

// Whether that can go wrong with that operation: only batches have members that can be left out,
// only transactions are cancelled.
bool may_happen(const Fault& fault, const Operation& operation);

}  // namespace magneto::api
