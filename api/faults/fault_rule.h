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

// One reason of an injected error: of TransactionCanceledException a code and a message, of errors
// of throttling a reason and a resource (AWS API reference, "CancellationReason",
// "ThrottlingReason").
struct InjectedReason {
  std::string name;
  std::optional<std::string> detail = std::nullopt;
};

struct InjectedError {
  ErrorType type;
  std::optional<std::string> message = std::nullopt;  // AWS's own
  std::vector<InjectedReason> reasons = {};
  int status = 0;  // of HTTP; 0: that of the type
};
// Anything between two durations alike; or lognormal, when `is_lognormal`: half of all take at most
// the first, 99 of 100 at most the second.
struct InjectedLatency {
  std::chrono::nanoseconds low;
  std::chrono::nanoseconds high;
  bool is_lognormal = false;
};
struct DroppedConnection {
  bool before;  // the handler is not called
};
// Of the members of a batch that match, more than 0 to 1.
struct LeftOutMembers {
  double fraction;
};
// Of the answer's body, the part that is missing: more than 0 to 1.
struct TruncatedAnswer {
  double fraction;
};
using Fault = std::variant<InjectedError, InjectedLatency, DroppedConnection, LeftOutMembers,
                           TruncatedAnswer>;

// A key attribute ("pk", "sk" or its name), and what its text must look like.
struct KeyPattern {
  std::string attribute;
  std::string pattern;
};
// "*" means any text, also none. Takes no longer than the product of both sizes.
bool matches_pattern(std::string_view text, std::string_view pattern);

// What requests a rule is for, which of those it hits, and with what. Empty members: any.
struct FaultRule {
  std::vector<const Operation*> operations;
  std::string table;
  std::string index;
  std::vector<KeyPattern> key;  // all of them
  std::string access_key;
  double probability = 1;
  std::int64_t seed = 0;  // the same one makes the same choices in the order of requests
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> count;
  std::optional<std::chrono::nanoseconds> lasts;
  Fault fault;
  std::string json;  // the members as they were given, for who lists rules
};

}  // namespace magneto::api
