#pragma once

#include <atomic>
#include <chrono>

namespace magneto::server::client {

// The time for which throttled calls are repeated: while any of them makes progress, and for some
// time after that. A table with few units serves many threads in turn. So one thread may wait for
// long although the work makes progress. Thread-safe.
class ThrottlePatience {
 public:
  static constexpr std::chrono::milliseconds kLongest = std::chrono::minutes(5);

  explicit ThrottlePatience(std::chrono::milliseconds longest = kLongest) : longest_(longest) {}

  // Call this when data was written or read.
  void renew() { renewed_.store(Clock::now(), std::memory_order_relaxed); }
  bool lasts() const { return Clock::now() - renewed_.load(std::memory_order_relaxed) < longest_; }

 private:
  using Clock = std::chrono::steady_clock;

  const std::chrono::milliseconds longest_;
  std::atomic<Clock::time_point> renewed_{Clock::now()};
};

}  // namespace magneto::server::client
