#include "storage/stream/sequence_scale.h"

#include <algorithm>

namespace magneto::storage {

std::uint64_t SequenceScale::at(Clock::TimePoint time) const {
  const Clock::TimePoint counted = std::max(time, Clock::kFirst);
  const auto number = static_cast<std::uint64_t>(counted.time_since_epoch().count());
  if (!is_shared_ || number <= base_) return number;
  return base_ + ((number - base_) << kServerBits);
}

Clock::TimePoint SequenceScale::time_of(std::uint64_t number) const {
  if (is_shared_ && number > base_) number = base_ + ((number - base_) >> kServerBits);
  return Clock::TimePoint(Clock::Duration(number));
}

std::uint64_t SequenceScale::of_version(Version version) const {
  const Version first = base_ << kServerBits;
  return base_ + (std::max(version, first) - first);
}

}  // namespace magneto::storage
