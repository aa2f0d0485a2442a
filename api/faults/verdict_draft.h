#pragma once

#include "api/faults/draws.h"
#include "api/faults/faults.h"
#include "api/faults/rule_match.h"

namespace magneto::api {

// A verdict while rules are asked one after the other.
class VerdictDraft {
 public:
  VerdictDraft(const FaultedCall& call, FaultVerdict& verdict) : call_(call), verdict_(verdict) {}

  // Whether that may still happen beside what was decided before.
  bool may_take(const Fault& fault) const;
  void take(const FaultRule& rule, const MatchedMembers& members, Draws draws);

 private:
  void leave_out(double fraction, const MatchedMembers& members, Draws& draws);

  const FaultedCall& call_;
  FaultVerdict& verdict_;
  bool is_closed_ = false;  // only latencies may follow
};

}  // namespace magneto::api
