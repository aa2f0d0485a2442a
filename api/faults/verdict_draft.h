#pragma once

#include "api/faults/draws.h"
#include "api/faults/faults.h"
#include "api/faults/rule_match.h"

namespace magneto::api {

// A verdict under construction, while the rules are checked one after another.
class VerdictDraft {
 public:
  VerdictDraft(const FaultedCall& call, FaultVerdict& verdict) : call_(call), verdict_(verdict) {}

  // Whether the fault can still be added to the faults decided before.
  bool may_take(const Fault& fault) const;
  void take(const FaultRule& rule, const MatchedMembers& members, Draws draws);

 private:
  void leave_out(double fraction, const MatchedMembers& members, Draws& draws);

  const FaultedCall& call_;
  FaultVerdict& verdict_;
  bool is_closed_ = false;  // only latencies may follow
};

}  // namespace magneto::api
