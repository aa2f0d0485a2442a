#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "storage/background/worker.h"
#include "storage/clock.h"

namespace magneto::storage {

// How long the temporary statuses last: CREATING, UPDATING and DELETING, and those of time to live
// and streams. It follows the clock: when the clock is turned, waiting tasks are checked at once,
// and when it is set back none waits longer than the delay. Thread-safe.
class ControlPlaneDelay {
 public:
  // `timers` runs the short tasks at the end of a delay. Destroy it after this object.
  ControlPlaneDelay(std::chrono::milliseconds length, const Clock& clock, Worker& timers);

  bool is_set() const { return length_.count() != 0; }
  // When a status that begins now ends.
  Clock::TimePoint end() const { return clock_.now() + length_; }
  bool has_come(Clock::TimePoint time) const { return clock_.now() >= time; }
  // Whether a status that began then still lasts. A beginning in the future, after the clock was
  // set back, counts as over.
  bool lasts_since(Clock::TimePoint began) const {
    const Clock::TimePoint now = clock_.now();
    return now - length_ < began && began <= now;
  }

  void run_at(Clock::TimePoint time, Worker::Task task);
  // Whether `until` has come. If not, calls `go_on` later: when it has come, or after the delay if
  // the clock was set back. `until` is then set to the past; it must stay valid until `go_on` is
  // destroyed.
  bool has_come_or_will(Clock::TimePoint& until, std::function<void()> go_on);
  void run_at_end(Worker::Task task) { run_at(end(), std::move(task)); }

 private:
  struct Waiting {
    Worker::Task task;
    Clock::Duration length;  // the intended length of the wait
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
