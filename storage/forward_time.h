#pragma once

#include <chrono>

#include "storage/clock.h"

namespace magneto::storage {

// Time that follows a clock but never goes back. If the clock is set back, this time continues from
// its last value and stays ahead from then on. Numbers and orders derived from it therefore ascend,
// and things that are kept for a period are kept for that period. The owner's mutex guards it.
class ForwardTime {
 public:
  // `clock` is the clock's time, `latest` the last time that was assigned. A `clock` slightly
  // before `latest` is not a turn of the clock: many times may be assigned in one moment.
  Clock::TimePoint at(Clock::TimePoint clock, Clock::TimePoint latest) {
    if (clock + lead_ + kSlack < latest) lead_ = latest - clock;
    return clock + lead_;
  }
  // How far this time is ahead of the clock.
  Clock::Duration lead() const { return lead_; }

 private:
  static constexpr std::chrono::seconds kSlack{1};

  Clock::Duration lead_{0};
};

}  // namespace magneto::storage
