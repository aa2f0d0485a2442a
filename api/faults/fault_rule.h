#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/error.h"
#include "api/operation.h"

namespace magneto::api {

// One reason of an injected error. For TransactionCanceledException a code and a message; for
// throttling errors a reason and a resource (AWS API reference, "CancellationReason",
// "ThrottlingReason").
struct InjectedReason {
  std::string name;
  std::optional<std::string> detail = std::nullopt;
};

struct InjectedError {
  ErrorType type;
  std::optional<std::string> message = std::nullopt;  // nullopt: AWS's own
  std::vector<InjectedReason> reasons = {};
  int status = 0;  // HTTP status; 0: the status of the type
  std::optional<std::chrono::milliseconds> retry_after = std::nullopt;
};
// A latency distributed evenly between two durations, or lognormal if `is_lognormal`: then half of
// the latencies are at most `low`, and 99 of 100 at most `high`.
struct InjectedLatency {
  std::chrono::nanoseconds low;
  std::chrono::nanoseconds high;
  bool is_lognormal = false;
};
struct DroppedConnection {
  bool before;  // the handler is not called
};
// The fraction of the matching members of a batch: more than 0, up to 1.
struct LeftOutMembers {
  double fraction;
};
// The fraction of the answer's body that is missing: more than 0, up to 1.
struct TruncatedAnswer {
  double fraction;
};
using Fault = std::variant<InjectedError, InjectedLatency, DroppedConnection, LeftOutMembers,
                           TruncatedAnswer>;

// A key attribute ("pk", "sk" or its name), and the pattern for its text.
struct KeyPattern {
  std::string attribute;
  std::string pattern;
};
// "*" matches any text, even an empty one. Takes at most as many steps as the product of both
// sizes.
bool matches_pattern(std::string_view text, std::string_view pattern);

// The requests that a rule matches, which of them it hits, and the fault. Empty members match any
// request.
struct FaultRule {
  std::vector<const Operation*> operations;
  std::string table;
  std::string index;
  std::vector<KeyPattern> key;  // all must match
  std::string access_key;
  double probability = 1;
  std::int64_t seed = 0;  // the same seed makes the same choices in the order of requests
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> count;
  std::optional<std::chrono::nanoseconds> lasts;
  Fault fault;
  std::string json;  // the members as given, for lists of rules
};

}  // namespace magneto::api
