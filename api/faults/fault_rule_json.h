#pragma once

#include <span>
#include <string_view>

#include "api/faults/fault_rule.h"
#include "api/faults/faults.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"

// Rules of faults in JSON:
//
//   {"operations": ["PutItem", ...], "table": "t", "index": "i", "key": {"pk": "user#*"},
//    "access_key": "...", "probability": 0.1, "seed": 7, "skip": 2, "count": 3, "for": "10s",
//    "fault": {...}}
//
// All members but "fault" may be left out. A fault is one of:
//
//   {"error": "ThrottlingException", "message": "...", "reasons": [...], "status": 400}
//   {"latency": "250ms"}  {"latency": {"min": "1ms", "max": "1s"}}
//   {"latency": {"p50": "5ms", "p99": "200ms"}}
//   {"drop": "before"}  {"drop": "after"}  {"unprocessed": 0.5}  {"truncate": 0.5}
//
// "reasons" is a list of names, or of {"code", "message"} for TransactionCanceledException, one for
// each action, and of {"reason", "resource"} for throttling.
namespace magneto::api {

inline constexpr std::size_t kMaxRuleBytes = 8'192;

// The members of a rule.
std::span<const std::string_view> fault_rule_members();

// If the rule has no seed, it gets a random one. Throws ControlError.
FaultRule read_fault_rule(json::Object rule);

// [{"id": "f1", <members as given>, "seed": 7, "matched": 9, "hits": 3}, ...]
void write_fault_rules(const Faults& faults, json::Writer& writer);

}  // namespace magneto::api
