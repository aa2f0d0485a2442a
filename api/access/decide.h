#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/access/decision.h"
#include "api/access/meter.h"
#include "api/access/policy.h"

namespace magneto::api::access {

// Policies that its members have.
struct Group {
  std::string name;
  std::vector<Policy> policies;
};

// The policies that have a say in one attempt.
struct Applicable {
  bool is_administrator = false;                              // allowed without a policy
  std::span<const Policy> identity;                           // the principal's
  std::span<const std::shared_ptr<const Group>> groups = {};  // those that it is in
  const Policy* boundary = nullptr;              // what it may have at most; nullptr: anything
  const std::vector<Policy>* session = nullptr;  // one of these must allow; nullptr: anything
  const Policy* resource = nullptr;              // the resource's; nullptr: it has none
  bool same_account = true;                      // principal and resource
};

// AWS IAM user guide, "Policy evaluation logic": what is denied by one statement is denied. Else one
// of the principal's policies must allow it or, within an account, the resource's; to another
// account both. A boundary and the policies of a session must allow it too, unless the resource's
// policy names the very user or session.
// Fills in everything but principal and resource.
void decide(const Attempt& attempt, const Applicable& policies, Meter& meter, Decision& decision);

}  // namespace magneto::api::access
