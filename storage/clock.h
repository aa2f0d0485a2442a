#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace magneto::storage {

// The clock cannot be set to a time before Clock::kFirst or after Clock::kLast. Nothing has
// changed.
class ClockOutOfRange : public std::exception {
 public:
  const char* what() const noexcept override {
    return "a clock can be set to the years 1970 to 9999 alone";
  }
};

// The clock of a store. Tests can set, move and freeze it. Thread-safe.
//
// The following depends on the clock; a wait for it reacts at once to a turn. The times and the
// temporary statuses of tables, indexes and streams. Time to live, and the delay of global indexes.
// The retention of streams, their shards, and the age of iterators. The lifetime of a transaction's
// token. The refill of throughput. The times in answers.
//
// These stay in real time: signatures and the Date header, by which SDKs correct their clocks;
// time-outs of connections and requests; TLS; the pause of background work after a failure; the age
// of backlogs in statistics; reports.
//
// A frozen clock stops everything that waits for it: a delayed index applies no change, buckets of
// throughput do not refill, nothing expires. Setting the clock back undoes nothing: sequence
// numbers and shards still ascend, tokens stay known for their ten minutes (forward_time.h), and no
// wait becomes longer than intended. Setting it to a much later time expires at once everything
// that would have expired since.
class Clock {
 public:
  using Duration = std::chrono::microseconds;  // nanoseconds would end in the year 2262
  using TimePoint = std::chrono::sys_time<Duration>;

  static constexpr TimePoint kFirst{};  // 1970-01-01T00:00:00Z
  static constexpr TimePoint kLast =    // 9999-12-31T23:59:59.999999Z
      std::chrono::sys_days(std::chrono::year(9999) / 12 / 31) + std::chrono::hours(24) -
      Duration(1);

  // The function that returns real time. Called on any thread.
  using RealTime = TimePoint (*)();

  Clock() = default;
  // For tests that step real time.
  explicit Clock(RealTime real) : real_(real) {}
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  TimePoint now() const {
    const std::int64_t setting = setting_.load(std::memory_order_acquire);
    const Duration time(setting >> 1);
    return (setting & kFrozen) != 0 ? TimePoint(time) : real_() + time;
  }
  // The time, after all watches have been called for the last turn. Waits for calls that are in
  // progress, so a watch must not call it.
  TimePoint now_told() const;
  // Seconds since the epoch with milliseconds, as DynamoDB writes times into JSON.
  double epoch_seconds() const;

  static TimePoint real_now() {
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
  }

  bool is_frozen() const { return (setting_.load(std::memory_order_acquire) & kFrozen) != 0; }
  // How far the clock is ahead of real time.
  Duration offset() const { return now() - real_(); }
  // How long it takes the clock to reach `time`, unless it is turned; zero if it has reached it,
  // nullopt if it never will because it is frozen.
  std::optional<Duration> time_until(TimePoint time) const;

  // ---- turning: each throws ClockOutOfRange, and returns after all watches have been called --

  // Sets the time. `frozen` says whether the clock is frozen there; nullopt leaves that unchanged.
  void set(TimePoint time, std::optional<bool> frozen = std::nullopt);
  template <typename Rep, typename Period>
  void advance(std::chrono::duration<Rep, Period> by) {
    // Checked before the conversion, which may overflow.
    const double seconds = std::chrono::duration<double>(by).count();
    if (!(std::abs(seconds) <= std::chrono::duration<double>(kLast - kFirst).count())) {
      throw ClockOutOfRange();
    }
    move(std::chrono::floor<Duration>(by));
  }
  void freeze();
  void unfreeze();  // continues from the time at which it was frozen
  void reset();     // to real time, not frozen

  // Real time itself was stepped by `by`; a clock that is not frozen has moved with it. Returns
  // after all watches have been called.
  void record_step(Duration by);

  // A callback for code that waits for the clock and must look again when it is turned. The clock
  // calls `call` after each turn or step with the time before it, in the turning thread and one
  // call at a time. `call` must not turn the clock. It may take locks, but none that a thread holds
  // while it creates or destroys a Watch. No call is in progress after the Watch is destroyed.
  class Watch {
   public:
    using Call = std::function<void(TimePoint before)>;
    Watch(const Clock& clock, Call call);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    friend class Clock;
    const Clock& clock_;
    const Call call_;
  };

 private:
  static constexpr std::int64_t kFrozen = 1;

  static std::int64_t setting_of(Duration time, bool frozen) {
    return time.count() * 2 + (frozen ? kFrozen : 0);
  }
  std::int64_t setting_for(TimePoint time, bool frozen) const;
  void move(Duration by);
  template <typename Setting>
  void turn(Setting setting);

  const RealTime real_ = &real_now;
  // Twice the microseconds that the clock is ahead of real time; with kFrozen added, twice the
  // microseconds since kFirst.
  std::atomic<std::int64_t> setting_{0};
  // Guards the watches; held while setting_ changes and the watches are called.
  mutable std::mutex turn_mutex_;
  mutable std::vector<const Watch*> watches_;
};

}  // namespace magneto::storage
