#pragma once

#include <cstdint>

#include "storage/clock.h"
#include "storage/engine/version.h"

namespace magneto::storage {

// How times, versions and the sequence numbers of a store's streams follow from each other. A number
// is the time in microseconds since the epoch when it was drawn, or slightly more (StreamLog). Since
// servers share the store (Engine::shared_since()), numbers are versions less a constant: they grow
// faster from that moment on, and the lowest bits name the server. So numbers ascend throughout, also
// when the store is later used by one server again.
class SequenceScale {
 public:
  // `shared_since`: 0: no servers ever shared the store.
  explicit SequenceScale(Version shared_since = 0)
      : base_(shared_since >> kServerBits), is_shared_(shared_since != 0) {}

  // The smallest number of a time; times before 1970 count as 1970.
  std::uint64_t at(Clock::TimePoint time) const;
  Clock::TimePoint time_of(std::uint64_t number) const;
  // Of a version drawn since the store is shared. An earlier one counts as the first.
  std::uint64_t of_version(Version version) const;

 private:
  std::uint64_t base_;  // the number and the time, in microseconds, when sharing began
  bool is_shared_;
};

}  // namespace magneto::storage
