#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "storage/clock.h"
#include "storage/table/table.h"

namespace magneto::storage {

// The minimum time that the stamp of a deleted item is kept, so that an older change that arrives
// late does not restore the item. It equals the retention of the streams that replicas on AWS
// follow.
inline constexpr std::chrono::hours kStampsOfDeleted{24};

// Forgets the stamps of items that were deleted at least that long ago, and before the oldest
// change that is still to be sent. That change was made at `oldest_waiting`, in microseconds since
// the epoch, or later. Each call forgets some. Returns when the next stamp may be due; nullopt:
// none is left. Throws EngineError.
std::optional<Clock::TimePoint> forget_deleted(Engine& engine, const Table& table,
                                               Clock::TimePoint now, std::int64_t oldest_waiting);

}  // namespace magneto::storage
