#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "storage/background/worker.h"
#include "storage/clock.h"

namespace magneto::storage {

// How long the passing statuses last: CREATING, UPDATING and DELETING, and those of time to live and
// streams. By the clock: what waits goes on when that is turned, and after no more than its length
// when that is set back. Thread-safe.
class ControlPlaneDelay {
 public:
  // `timers` runs what is to be done when one ends: short tasks. To be destroyed after this.
  ControlPlaneDelay(std::chrono::milliseconds length, const Clock& clock, Worker& timers);

  bool is_set() const { return length_.count() != 0; }
  // When what begins now ends.
  Clock::TimePoint end() const { return clock_.now() + length_; }
  bool has_come(Clock::TimePoint time) const { return clock_.now() >= time; }
  // Whether what began then has not ended. What begins in a time to come, since the clock was set
  // back, has.
  bool lasts_since(Clock::TimePoint began) const {
    const Clock::TimePoint now = clock_.now();
    return now - length_ < began && began <= now;
  }

  void run_at(Clock::TimePoint time, Worker::Task task);
  // Whether `until` has come. Otherwise calls `go_on` when it has: where the clock was set back, after no
  // more than the delay. `until` is in the past then; it must last until `go_on` has gone.
  bool has_come_or_will(Clock::TimePoint& until, std::function<void()> go_on);
  void run_at_end(Worker::Task task) { run_at(end(), std::move(task)); }

 private:
  struct Waiting {
    Worker::Task task;
    Clock::Duration length;  // how long it was to wait
  };

  void post_due();
  void shorten(Clock::TimePoint now);  // requires mutex_

  const std::chrono::milliseconds length_;
  const Clock& clock_;
  Worker& timers_;
  std::mutex mutex_;  // guards waiting_
  std::multimap<Clock::TimePoint, Waiting> waiting_;
  Worker::RecurringTask look_;
  const Clock::Watch watch_;
};

}  // namespace magneto::storage
