#pragma once

#include <atomic>
#include <chrono>

namespace magneto::storage {

// The only source of wall-clock time. Thread-safe.
class Clock {
 public:
  using TimePoint = std::chrono::system_clock::time_point;

  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  TimePoint now() const {
    return std::chrono::system_clock::now() + std::chrono::nanoseconds(offset_.load());
  }
  // Seconds since the epoch with milliseconds, as DynamoDB writes times into JSON.
  double epoch_seconds() const;
  // Tests move time by hand.
  void advance(std::chrono::nanoseconds by) { offset_ += by.count(); }

 private:
  std::atomic<std::int64_t> offset_{0};
};

}  // namespace magneto::storage
