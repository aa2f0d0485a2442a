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

// What fault rules (api/faults) decided about one call. What concerns the connection is carried out
// by whoever has it.
struct FaultVerdict {
  static constexpr std::size_t kMaxMembers = 100;  // of a batch or transaction

  // Where the connection ends.
  enum class Cut : std::uint8_t {
    kNone,
    kBefore,  // without an answer, and the handler was not called
    kAfter,   // without an answer, though the handler did its work
    kWithin,  // within the answer's body
  };

  bool decided = false;            // no rule is asked again
  std::vector<std::string> rules;  // the ids of those that hit
  std::optional<ApiError> error;   // instead of calling the handler
  int status = 0;                  // of that error; 0: that of its type
  Cut cut = Cut::kNone;
  double kept = 1;                              // kWithin: the part of the body that is sent
  std::chrono::nanoseconds delay{0};            // of the answer, or of the end
  std::bitset<kMaxMembers> left_out;            // members of a batch, in the order of the request
  std::chrono::steady_clock::time_point begun;  // when the call was first made

  bool leaves_out(std::size_t member) const {
    return member < kMaxMembers && left_out.test(member);
  }
};

}  // namespace magneto::api
