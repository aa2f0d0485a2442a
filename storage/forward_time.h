#pragma once

#include <chrono>

#include "storage/clock.h"

namespace magneto::storage {

// Time that goes on with a clock but never back: where the clock is set back, it goes on from where
// it was, and stays ahead from then on. So what is numbered or ordered by it ascends, and what is
// kept for a while is kept for that while. Its owner's mutex guards it.
class ForwardTime {
 public:
  // `clock` is what the clock says, `latest` the last time that was given to something. A little
  // less is no turn of the clock: many may come in a moment.
  Clock::TimePoint at(Clock::TimePoint clock, Clock::TimePoint latest) {
    if (clock + lead_ + kSlack < latest) lead_ = latest - clock;
    return clock + lead_;
  }
  // How far ahead of the clock it is.
  Clock::Duration lead() const { return lead_; }

 private:
  static constexpr std::chrono::seconds kSlack{1};

  Clock::Duration lead_{0};
};

}  // namespace magneto::storage
