#pragma once

#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/error.h"

namespace magneto::api {

// The decision of the fault rules (api/faults) about one call. The owner of the connection carries
// out the parts that affect the connection.
struct FaultVerdict {
  static constexpr std::size_t kMaxMembers = 100;  // of a batch or transaction

  // The point at which the connection is closed.
  enum class Cut : std::uint8_t {
    kNone,
    kBefore,  // without an answer, before the handler is called
    kAfter,   // without an answer, after the handler has done its work
    kWithin,  // within the answer's body
  };

  bool decided = false;            // the rules are not asked again
  std::vector<std::string> rules;  // ids of the rules that hit
  std::optional<ApiError> error;   // instead of calling the handler
  int status = 0;                  // HTTP status of that error; 0: the status of its type
  // With that error: how long the client should wait before it tries again.
  std::optional<std::chrono::milliseconds> retry_after;
  Cut cut = Cut::kNone;
  double kept = 1;                              // kWithin: the fraction of the body that is sent
  std::chrono::nanoseconds delay{0};            // before the answer or the cut
  std::bitset<kMaxMembers> left_out;            // members of a batch, in the order of the request
  std::chrono::steady_clock::time_point begun;  // time of the first attempt to make the call

  bool leaves_out(std::size_t member) const {
    return member < kMaxMembers && left_out.test(member);
  }
};

}  // namespace magneto::api
