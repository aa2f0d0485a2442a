#pragma once

#include <chrono>
#include <utility>

#include "storage/background/worker.h"
#include "storage/clock.h"

namespace magneto::storage {

// How long the passing statuses last: CREATING, UPDATING and DELETING, and those of time to live and
// streams. By the clock, which tests move. Thread-safe.
class ControlPlaneDelay {
 public:
  // `timers` runs what is to be done when one ends: short tasks.
  ControlPlaneDelay(std::chrono::milliseconds length, const Clock& clock, Worker& timers)
      : length_(length), clock_(clock), timers_(timers) {}

  bool is_set() const { return length_.count() != 0; }
  // When what begins now ends.
  Clock::TimePoint end() const { return clock_.now() + length_; }
  bool has_come(Clock::TimePoint time) const { return clock_.now() >= time; }
  // Whether what began then has not ended.
  bool lasts_since(Clock::TimePoint began) const { return clock_.now() - length_ < began; }

  void run_at(Clock::TimePoint time, Worker::Task task);
  void run_at_end(Worker::Task task) { run_at(end(), std::move(task)); }

 private:
  const std::chrono::milliseconds length_;
  const Clock& clock_;
  Worker& timers_;
};

}  // namespace magneto::storage
