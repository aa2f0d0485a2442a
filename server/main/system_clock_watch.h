#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "server/system/descriptor.h"

namespace magneto::server::main {

// Notices when the system's clock is set, or jumps because the machine was suspended. The watch has
// a thread that sleeps until the kernel wakes it for that (timerfd_create(2),
// TFD_TIMER_CANCEL_ON_SET). A clock that only runs faster or slower, as with NTP, is not set.
class SystemClockWatch {
 public:
  using Step = std::chrono::microseconds;
  // How far the system's clock is ahead of the monotonic clock.
  using Measure = std::function<Step()>;
  static Step measure();

  // The watch's thread calls `stepped` with the size of the jump, positive if the clock is now
  // further ahead. `stepped` must not throw. If the system cannot report jumps, a warning says so
  // and none is noticed.
  explicit SystemClockWatch(std::function<void(Step by)> stepped, Measure ahead = &measure);
  ~SystemClockWatch();
  SystemClockWatch(const SystemClockWatch&) = delete;
  SystemClockWatch& operator=(const SystemClockWatch&) = delete;

  // The thread calls this each time it wakes.
  void look();

 private:
  bool arm() const;
  void run();

  const std::function<void(Step by)> stepped_;
  const Measure measure_;
  Step ahead_;  // at the last look; used by look() only
  system::Descriptor timer_;
  system::Descriptor stop_;  // readable when the thread must end
  std::thread thread_;
};

}  // namespace magneto::server::main
