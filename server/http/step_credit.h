#pragma once

#include <algorithm>
#include <cstdint>

namespace magneto::server::http {

// What a call may do on an I/O thread or a waiting worker. The slowest steps take 6 ns, and up to
// 400 KB of work are begun before they are counted, so this is less than 5 ms.
inline constexpr std::uint64_t kStepsOfAShortCall = 500'000;

// How many steps the next call may do on an I/O thread. Calls that only just are short would add up
// when many clients make them at once; so a thread does one of them now and then, and others only
// as far as this. Not thread-safe.
class StepCredit {
 public:
  static constexpr std::uint64_t kAlways = 200'000;  // about a millisecond
  static constexpr std::uint64_t kGainedByACall = 20'000;

  std::uint64_t limit() const { return std::max(kAlways, credit_); }
  // After each call.
  void note(std::uint64_t spent) {
    credit_ = std::min(kStepsOfAShortCall, credit_ - std::min(credit_, spent) + kGainedByACall);
  }

 private:
  std::uint64_t credit_ = kStepsOfAShortCall;
};

}  // namespace magneto::server::http
