#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>

#include "storage/clock.h"

namespace magneto::storage {

// Gives the stamps of all regions of a store: by the clock, but each later than those that were given
// or met before, whatever the clock does. So of two writes, one after the other, the second one wins,
// in whichever regions they were made. It begins from the newest stamp that waits to be sent; what was
// sent before a restart is met with the item, in the region that it was sent to. Thread-safe.
class StampSource {
 public:
  // Microseconds since the epoch, later than `before`.
  std::uint64_t next(Clock::TimePoint now, std::uint64_t before) {
    // Not before Clock::kFirst.
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
  // There is one of that time.
  void meet(std::uint64_t time) {
    const std::lock_guard lock(mutex_);
    last_ = std::max(last_, time);
  }
  std::uint64_t last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  // How far stamps are ahead of the clock, since that was set back.
  Clock::Duration lead() const {
    const std::lock_guard lock(mutex_);
    return Clock::Duration(static_cast<Clock::Duration::rep>(lead_));
  }

 private:
  // A little less is no turn of the clock: many stamps may be given in a moment.
  static constexpr std::uint64_t kSlack = 1'000'000;

  mutable std::mutex mutex_;  // guards what follows
  std::uint64_t last_ = 0;
  std::uint64_t lead_ = 0;  // microseconds
};
using StampSourcePtr = std::shared_ptr<StampSource>;

}  // namespace magneto::storage
