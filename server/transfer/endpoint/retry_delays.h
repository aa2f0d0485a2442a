#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>

namespace magneto::server {

// How long to wait before each further attempt: a random part of a time that doubles from 50 ms up
// to 10 s ("full jitter"), so that threads that were throttled together do not come back together.
// Ten attempts in all, which wait for some 45 s at most.
class RetryDelays {
 public:
  static constexpr int kMaxAttempts = 10;
  static constexpr std::chrono::milliseconds kFirst{50};
  static constexpr std::chrono::milliseconds kLongest{10'000};

  RetryDelays() : random_(std::random_device{}()) {}
  explicit RetryDelays(std::uint32_t seed) : random_(seed) {}

  // nullopt: no attempt is left.
  std::optional<std::chrono::milliseconds> next() {
    if (++attempts_ >= kMaxAttempts) return std::nullopt;
    const auto longest = std::min(kLongest, kFirst * (1 << (attempts_ - 1)));
    std::uniform_int_distribution<std::int64_t> part(longest.count() / 4, longest.count());
    return std::chrono::milliseconds(part(random_));
  }

 private:
  std::minstd_rand random_;
  int attempts_ = 0;
};

}  // namespace magneto::server
