#include "storage/background/control_plane_delay.h"

#include <algorithm>
#include <utility>

namespace magneto::storage {
namespace {

// Real time after which the clock is looked at again.
constexpr std::chrono::milliseconds kClockPoll{20};

}  // namespace

void ControlPlaneDelay::run_at(Clock::TimePoint time, Worker::Task task) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - clock_.now());
  timers_.post_after(std::clamp(left, std::chrono::milliseconds(0), kClockPoll),
                     [this, time, task = std::move(task)](const std::stop_token& stop) {
                       if (!has_come(time)) return run_at(time, task);
                       task(stop);
                     });
}

}  // namespace magneto::storage
