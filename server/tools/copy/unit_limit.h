#pragma once

#include <chrono>
#include <mutex>

#include "server/tools/copy/stop_signal.h"

namespace magneto::server::tools {

// Keeps the capacity units that all threads use under a rate. What a call used is known when it is
// done, so each thread waits after its call until the rate allows what was used so far.
class UnitLimit {
 public:
  explicit UnitLimit(double units_a_second)  // 0: none
      : per_second_(units_a_second) {}

  bool is_set() const { return per_second_ > 0; }
  // Throws Stopped.
  void spend(double units, const StopSignal& stop);

 private:
  using Clock = std::chrono::steady_clock;

  const double per_second_;
  std::mutex mutex_;  // guards paid_until_
  Clock::time_point paid_until_{};
};

}  // namespace magneto::server::tools
