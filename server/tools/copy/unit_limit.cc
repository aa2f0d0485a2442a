#include "server/tools/copy/unit_limit.h"

#include <algorithm>

namespace magneto::server::tools {

void UnitLimit::spend(double units, const StopSignal& stop) {
  if (!is_set()) return stop.check();
  const std::chrono::duration<double> time(units / per_second_);
  Clock::time_point until;
  {
    const std::lock_guard lock(mutex_);
    paid_until_ =
        std::max(paid_until_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(time);
    until = paid_until_;
  }
  stop.sleep_until(until);
}

}  // namespace magneto::server::tools
