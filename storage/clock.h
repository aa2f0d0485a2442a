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

// A clock was to be set to a time before Clock::kFirst or after Clock::kLast. Nothing is changed.
class ClockOutOfRange : public std::exception {
 public:
  const char* what() const noexcept override {
    return "a clock can be set to the years 1970 to 9999 alone";
  }
};

// The time by which a store lives. It can be set, moved and frozen, for tests. Thread-safe.
//
// What follows it, at once also where it is turned while something waits: the times of tables,
// indexes and streams, and how long their passing statuses last; time to live; the delay of global
// indexes; the retention of streams, their shards, and the age of iterators; how long a
// transaction's token is honoured; the units that throughput brings; the times in answers.
//
// What stays in real time: signatures and the Date header, by which SDKs correct their clocks;
// time-outs of connections and requests; TLS; how long background work rests after a failure; how
// old backlogs are said to be in statistics; reports.
//
// Frozen, it holds what waits by it: an index with a delay applies nothing, buckets of throughput
// fill no more, nothing expires. Set back, it makes nothing undone: sequence numbers and shards
// ascend, tokens stay known for their ten minutes (forward_time.h), no wait gets longer than it was
// meant to be. Set to a much later time, it makes expire at once what would have expired since.
class Clock {
 public:
  using Duration = std::chrono::microseconds;  // nanoseconds would end in the year 2262
  using TimePoint = std::chrono::sys_time<Duration>;

  static constexpr TimePoint kFirst{};  // 1970-01-01T00:00:00Z
  static constexpr TimePoint kLast =    // 9999-12-31T23:59:59.999999Z
      std::chrono::sys_days(std::chrono::year(9999) / 12 / 31) + std::chrono::hours(24) -
      Duration(1);

  // Where a clock reads real time from. Called on any thread.
  using RealTime = TimePoint (*)();

  Clock() = default;
  // For tests in which real time is stepped.
  explicit Clock(RealTime real) : real_(real) {}
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  TimePoint now() const {
    const std::int64_t setting = setting_.load(std::memory_order_acquire);
    const Duration time(setting >> 1);
    return (setting & kFrozen) != 0 ? TimePoint(time) : real_() + time;
  }
  // The time, once all who watch have been called for the last turn. Waits for calls that are under
  // way, so it is not for those who watch.
  TimePoint now_told() const;
  // Seconds since the epoch with milliseconds, as DynamoDB writes times into JSON.
  double epoch_seconds() const;

  static TimePoint real_now() {
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
  }

  bool is_frozen() const { return (setting_.load(std::memory_order_acquire) & kFrozen) != 0; }
  // How far it is ahead of real time.
  Duration offset() const { return now() - real_(); }
  // How long it takes until it has come to `time`, unless it is turned; zero when it has, none when
  // it never will, since it is frozen.
  std::optional<Duration> time_until(TimePoint time) const;

  // ---- turning: each throws ClockOutOfRange and returns when all who watch have been called -----

  // Frozen at that time, or going on from it; as it was unless `frozen` says.
  void set(TimePoint time, std::optional<bool> frozen = std::nullopt);
  template <typename Rep, typename Period>
  void advance(std::chrono::duration<Rep, Period> by) {
    // Before it is converted, which may overflow.
    const double seconds = std::chrono::duration<double>(by).count();
    if (!(std::abs(seconds) <= std::chrono::duration<double>(kLast - kFirst).count())) {
      throw ClockOutOfRange();
    }
    move(std::chrono::floor<Duration>(by));
  }
  void freeze();
  void unfreeze();  // goes on from the time at which it stands
  void reset();     // to real time, not frozen

  // Real time itself was set: it is `by` ahead of what it would be. A clock that is not frozen has
  // moved with it. Returns when all who watch have been called.
  void note_step(Duration by);

  // Somebody who waits by a clock and is to look again when it was turned. `call` is called after
  // each turn or step with the time that it was before, in the turning thread and one at a time; it may
  // take locks that nobody holds who makes or destroys a Watch, and must not turn the clock. Once
  // the Watch is destroyed, no call is under way.
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
  // Twice the microseconds that it is ahead, or, when kFrozen is added, that it is after kFirst.
  std::atomic<std::int64_t> setting_{0};
  // Guards what follows; held while setting_ is changed and watches are called.
  mutable std::mutex turn_mutex_;
  mutable std::vector<const Watch*> watches_;
};

}  // namespace magneto::storage
