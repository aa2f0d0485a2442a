#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/clock.h"

namespace magneto::storage {

// The version of a committed change: the microseconds since the epoch, shifted by kServerBits, with
// the number of the server in the lowest bits. So no two servers draw the same version. Fits into 63
// bits until the year 2255.
using Version = std::uint64_t;
inline constexpr unsigned kServerBits = 10;
inline constexpr Version kVersionStep = Version{1} << kServerBits;
inline constexpr std::size_t kMaxServers = kVersionStep;

// The smallest version of a time, which is 1970 or later.
Version version_at(Clock::TimePoint time);
Clock::TimePoint time_of_version(Version version);

}  // namespace magneto::storage
