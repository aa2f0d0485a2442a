#pragma once

#include <atomic>
#include <chrono>

namespace magneto::server::client {

// For how long calls that are throttled are made again: as long as any of them gets something done,
// and for some time after that. A table of few units serves many threads in turn, so that one may
// get nothing for long while all goes well. Thread-safe.
class ThrottlePatience {
 public:
  static constexpr std::chrono::milliseconds kLongest = std::chrono::minutes(5);

  explicit ThrottlePatience(std::chrono::milliseconds longest = kLongest) : longest_(longest) {}

  // Something was written or read.
  void renew() { renewed_.store(Clock::now(), std::memory_order_relaxed); }
  bool lasts() const { return Clock::now() - renewed_.load(std::memory_order_relaxed) < longest_; }

 private:
  using Clock = std::chrono::steady_clock;

  const std::chrono::milliseconds longest_;
  std::atomic<Clock::time_point> renewed_{Clock::now()};
};

}  // namespace magneto::server::client
