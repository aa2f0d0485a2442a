#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "server/system/descriptor.h"

namespace magneto::server::main {

// Notices when the system's clock is set, or goes on after the machine was suspended: on a thread of
// its own, which the kernel wakes then (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET) and which sleeps
// otherwise. A clock that is only made to run faster or slower, as by NTP, is not set.
class SystemClockWatch {
 public:
  using Step = std::chrono::microseconds;
  // How far the system's clock is ahead of the monotonic one.
  using Measure = std::function<Step()>;
  static Step measure();

  // `stepped` is called on the thread with how far the clock is ahead of what it would show. It must
  // not throw. Where the system cannot tell of steps, a warning says so and none is noticed.
  explicit SystemClockWatch(std::function<void(Step by)> stepped, Measure ahead = &measure);
  ~SystemClockWatch();
  SystemClockWatch(const SystemClockWatch&) = delete;
  SystemClockWatch& operator=(const SystemClockWatch&) = delete;

  // What the thread does when it is woken.
  void look();

 private:
  bool arm() const;
  void run();

  const std::function<void(Step by)> stepped_;
  const Measure measure_;
  Step ahead_;  // at the last look; for look() alone
  system::Descriptor timer_;
  system::Descriptor stop_;  // readable: the thread is to end
  std::thread thread_;
};

}  // namespace magneto::server::main
