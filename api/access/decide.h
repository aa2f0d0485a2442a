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

// A group of users. Its policies apply to its members.
struct Group {
  std::string name;
  std::vector<Policy> policies;
};

// The policies that apply to one attempt.
struct Applicable {
  bool is_administrator = false;                              // allowed without a policy
  std::span<const Policy> identity;                           // the principal's policies
  std::span<const std::shared_ptr<const Group>> groups = {};  // the principal's groups
  const Policy* boundary = nullptr;              // limits the principal's rights; nullptr: no limit
  const std::vector<Policy>* session = nullptr;  // one of these must allow; nullptr: no limit
  const Policy* resource = nullptr;              // the resource's policy; nullptr: it has none
  bool same_account = true;                      // principal and resource are in one account
};

// The rules of the AWS IAM user guide, "Policy evaluation logic". If one statement denies the
// attempt, it is denied. Otherwise a policy of the principal or of the resource must allow it;
// across accounts, both must. The boundary and the session policies must also allow it, unless the
// resource's policy names that very user or session.
// Fills in every member of `decision` except principal and resource.
void decide(const Attempt& attempt, const Applicable& policies, Meter& meter, Decision& decision);

}  // namespace magneto::api::access
