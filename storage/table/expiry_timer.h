#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/model/expiry.h"

namespace magneto::storage {

// Items with a lower expiry are due, all others are not. Whole seconds are compared: an item is due
// if the current second minus `delay` is greater than its expiry (AWS developer guide, "Using
// DynamoDB Time to Live").
std::int64_t expired_before(Clock::TimePoint now, std::chrono::milliseconds delay);

// When an item that expires at `expiry` is due; nullopt if that is beyond every clock.
std::optional<Clock::TimePoint> expired_at(std::int64_t expiry, std::chrono::milliseconds delay);

// Wakes the component that deletes expired items when the first item expires: a thread that waits
// here, or a callback. Times are seconds since the epoch. Thread-safe.
class ExpiryTimer {
 public:
  // Records that an entry with this expiry was committed to a queue. Cheap unless it expires first.
  void note(std::int64_t expiry) {
    if (expiry < wake_at_.load()) wake(expiry);
  }

  // Call clear() before searching the queues, so that no entry noted meanwhile is missed. Then call
  // set() with the first expiry that was found, or kNever.
  void clear();
  void set(std::int64_t first);

  // Waits until the item with the first expiry is due, by `clock` and by the current result of
  // `delay`.
  using Delay = absl::FunctionRef<std::chrono::milliseconds()>;
  void wait(const Clock& clock, Delay delay, const std::stop_token& stop);
  // Call this after the clock or the delay was changed: waiting threads check both at once.
  void look_again();

  // Used instead of wait(): the expiry for which the timer is set, and a callback. The thread that
  // notes an earlier expiry calls `call`, which must take only locks that are held briefly. Set it
  // before any other use.
  std::int64_t expiry() const { return wake_at_.load(); }
  void on_earlier(std::function<void()> call) { call_ = std::move(call); }

 private:
  void wake(std::int64_t expiry);

  std::atomic<std::int64_t> wake_at_{0};  // written with mutex_ held
  std::function<void()> call_;
  std::mutex mutex_;                // guards the next members
  std::int64_t earliest_ = kNever;  // the first since clear()
  std::uint64_t turns_ = 0;         // of the clock
  std::condition_variable_any changed_;
};

}  // namespace magneto::storage
