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

// What has a lower expiry is due; all else is not. Whole seconds are compared: `delay` ago the present
// second was greater than the expiry (AWS developer guide, "Using DynamoDB Time to Live").
std::int64_t expired_before(Clock::TimePoint now, std::chrono::milliseconds delay);

// When what expires at `expiry` is due; nullopt where no clock comes to that.
std::optional<Clock::TimePoint> expired_at(std::int64_t expiry, std::chrono::milliseconds delay);

// Wakes the one that deletes expired items when the first of them expires: a thread that waits
// here, or somebody who is called. Times are seconds since the epoch. Thread-safe.
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

  // Waits until what expires then is due, by `clock` and by what `delay` is at each look.
  using Delay = absl::FunctionRef<std::chrono::milliseconds()>;
  void wait(const Clock& clock, Delay delay, const std::stop_token& stop);
  // The clock was turned, or the delay was: who waits looks at both at once.
  void look_again();

  // Instead of waiting: the expiry for which it is set, and what is called when an earlier one was
  // noted, by whoever notes it. Set before any other use; takes locks that are held shortly alone.
  std::int64_t expiry() const { return wake_at_.load(); }
  void on_earlier(std::function<void()> call) { call_ = std::move(call); }

 private:
  void wake(std::int64_t expiry);

  std::atomic<std::int64_t> wake_at_{0};  // written with mutex_ held
  std::function<void()> call_;
  std::mutex mutex_;                // guards what follows
  std::int64_t earliest_ = kNever;  // the first since clear()
  std::uint64_t turns_ = 0;         // of the clock
  std::condition_variable_any changed_;
};

}  // namespace magneto::storage
