#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <thread>

namespace magneto::server::client {

// The waits before each further attempt. A wait is a random part, at least a quarter, of a time
// that doubles from 50 ms up to 10 s. So threads that were throttled together do not return
// together. There are ten attempts in all, which wait for less than 23 s.
class RetryDelays {
 public:
  static constexpr int kMaxAttempts = 10;
  static constexpr std::chrono::milliseconds kFirst{50};
  static constexpr std::chrono::milliseconds kLongest{10'000};

  RetryDelays() = default;
  explicit RetryDelays(std::uint32_t seed) : random_(seed) {}

  // Returns nullopt if no attempt is left.
  std::optional<std::chrono::milliseconds> next() {
    if (++attempts_ >= kMaxAttempts) return std::nullopt;
    return part_of(std::min(kLongest, kFirst * (1 << (attempts_ - 1))));
  }

  // For callers that do not count attempts.
  std::chrono::milliseconds longest() { return part_of(kLongest); }

  // Waits before the next attempt; after the last one only if `is_patient`. Returns false if no
  // attempt is left, or if `is_over`, called every 50 ms, returns true.
  bool wait(bool is_patient, const std::function<bool()>& is_over) {
    using Clock = std::chrono::steady_clock;
    std::optional<std::chrono::milliseconds> delay = next();
    if (!delay && !is_patient) return false;
    const Clock::time_point end = Clock::now() + (delay ? *delay : longest());
    while (!is_over()) {
      const Clock::duration left = end - Clock::now();
      if (left <= Clock::duration::zero()) return true;
      std::this_thread::sleep_for(std::min<Clock::duration>(left, std::chrono::milliseconds(50)));
    }
    return false;
  }

  void restart() { attempts_ = 0; }

 private:
  std::chrono::milliseconds part_of(std::chrono::milliseconds time) {
    if (!random_) random_.emplace(std::random_device{}());
    std::uniform_int_distribution<std::int64_t> part(time.count() / 4, time.count());
    return std::chrono::milliseconds(part(*random_));
  }

  std::optional<std::minstd_rand> random_;  // seeded when it is first needed
  int attempts_ = 0;
};

}  // namespace magneto::server::client
