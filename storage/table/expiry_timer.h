#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>

#include "storage/clock.h"
#include "storage/model/expiry.h"

namespace magneto::storage {

// What has a lower expiry has been expired for longer than `delay`; all else has not.
std::int64_t expired_before(Clock::TimePoint now, std::chrono::milliseconds delay);

// Wakes the one thread that deletes expired items when the first of them expires. Times are seconds
// since the epoch. Thread-safe.
class ExpiryTimer {
 public:
  // An entry with this expiry was committed to a queue. Cheap unless it is the first to expire.
  void note(std::int64_t expiry) {
    if (expiry < wake_at_.load()) wake(expiry);
  }

  // Before the queues are searched, so that nothing noted meanwhile is missed, and with the
  // first expiry that was found, or kNever.
  void clear();
  void set(std::int64_t first);

  // Waits until `delay` after the expiry for which it is set, by `clock`, which tests move.
  void wait(const Clock& clock, std::chrono::milliseconds delay, const std::stop_token& stop);

 private:
  void wake(std::int64_t expiry);

  std::atomic<std::int64_t> wake_at_{0};  // written with mutex_ held
  std::mutex mutex_;                      // guards earliest_
  std::int64_t earliest_ = kNever;        // the first since clear()
  std::condition_variable_any changed_;
};

}  // namespace magneto::storage
