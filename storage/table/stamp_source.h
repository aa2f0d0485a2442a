#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>

#include "storage/clock.h"

namespace magneto::storage {

// Makes the stamps of all regions of a store. They follow the clock, but each is later than all
// stamps made or met before, even if the clock is set back. So of two consecutive writes the second
// one wins, even if they were made in different regions. It starts from the newest stamp that waits
// to be sent. Stamps that were sent before a restart are met with the item, in the region that
// received them. Thread-safe.
class StampSource {
 public:
  // Microseconds since the epoch, later than `before`.
  std::uint64_t next(Clock::TimePoint now, std::uint64_t before) {
    // The clock is not before Clock::kFirst.
    const auto shown = static_cast<std::uint64_t>(now.time_since_epoch().count());
    const std::lock_guard lock(mutex_);
    const std::uint64_t least = std::max(before, last_) + 1;
    if (shown >= least) {
      lead_ = 0;
    } else if (shown + lead_ + kSlack < least) {
      lead_ = least - shown;
    }
    last_ = std::max(shown + lead_, least);
    return last_;
  }
  // Records a stamp of that time.
  void meet(std::uint64_t time) {
    const std::lock_guard lock(mutex_);
    last_ = std::max(last_, time);
  }
  std::uint64_t last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  // How far stamps are ahead of the clock because it was set back.
  Clock::Duration lead() const {
    const std::lock_guard lock(mutex_);
    return Clock::Duration(static_cast<Clock::Duration::rep>(lead_));
  }

 private:
  // A smaller difference is not a turn of the clock: many stamps may be made in a moment.
  static constexpr std::uint64_t kSlack = 1'000'000;

  mutable std::mutex mutex_;  // guards the next members
  std::uint64_t last_ = 0;
  std::uint64_t lead_ = 0;  // microseconds
};
using StampSourcePtr = std::shared_ptr<StampSource>;

}  // namespace magneto::storage
