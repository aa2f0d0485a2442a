#include "storage/background/control_plane_delay.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace magneto::storage {

ControlPlaneDelay::ControlPlaneDelay(std::chrono::milliseconds length, const Clock& clock,
                                     Worker& timers)
    : length_(length),
      clock_(clock),
      timers_(timers),
      look_(timers, [this](const std::stop_token&) { post_due(); }),
      watch_(clock, [this](Clock::TimePoint) {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) return;
        shorten(clock_.now());
        look_.due_now();
      }) {}

void ControlPlaneDelay::run_at(Clock::TimePoint time, Worker::Task task) {
  const Clock::TimePoint now = clock_.now();
  if (time <= now) return timers_.post(std::move(task));
  {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(time, Waiting{std::move(task), time - now});
  }
  look_.due_by(clock_, time);
}

bool ControlPlaneDelay::has_come_or_will(Clock::TimePoint& until, std::function<void()> go_on) {
  const Clock::TimePoint last = std::min(until, end());
  if (has_come(last)) return true;
  run_at(last, [&until, go_on = std::move(go_on)](const std::stop_token&) {
    until = Clock::kFirst;  // before any time of the clock
    go_on();
  });
  return false;
}

void ControlPlaneDelay::post_due() {
  const std::lock_guard lock(mutex_);
  const Clock::TimePoint now = clock_.now();
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    timers_.post(waiting_.begin()->second.task);
    waiting_.erase(waiting_.begin());
  }
  if (!waiting_.empty()) look_.due_by(clock_, waiting_.begin()->first);
}

// After the clock was set back, limits each wait to its intended length.
void ControlPlaneDelay::shorten(Clock::TimePoint now) {
  std::vector<Waiting> shortened;
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    if (at->first <= now + at->second.length) {
      ++at;
    } else {
      shortened.push_back(std::move(at->second));
      at = waiting_.erase(at);
    }
  }
  for (Waiting& one : shortened) {
    const Clock::TimePoint end = now + one.length;
    waiting_.emplace(end, std::move(one));
  }
}

}  // namespace magneto::storage
