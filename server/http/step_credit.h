#pragma once

#include <algorithm>
#include <cstdint>

namespace magneto::server::http {

// The most steps that a call may take on an I/O thread or a waiting worker. The slowest steps take
// 6 ns, and a call may start up to 400 KB of work before that is counted. So this is less than 5
// ms.
inline constexpr std::uint64_t kStepsOfAShortCall = 500'000;

// How many steps the next call may take on an I/O thread. Calls just below the limit would add up
// if many clients made them at once. So a thread runs such a call only now and then; it runs all
// other calls only up to kAlways. Not thread-safe.
class StepCredit {
 public:
  static constexpr std::uint64_t kAlways = 200'000;  // about a millisecond
  static constexpr std::uint64_t kGainedByACall = 20'000;

  std::uint64_t limit() const { return std::max(kAlways, credit_); }
  // Call this after each call.
  void note(std::uint64_t spent) {
    credit_ = std::min(kStepsOfAShortCall, credit_ - std::min(credit_, spent) + kGainedByACall);
  }

 private:
  std::uint64_t credit_ = kStepsOfAShortCall;
};

}  // namespace magneto::server::http
