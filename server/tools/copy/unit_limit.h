#pragma once

#include <chrono>
#include <mutex>

#include "server/tools/copy/stop_signal.h"

namespace magneto::server::tools {

// Keeps the capacity units of all threads below a rate. The units of a call are known only after
// it. So each thread waits after its call until the rate allows the units used so far.
class UnitLimit {
 public:
  explicit UnitLimit(double units_a_second)  // 0: no limit
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
