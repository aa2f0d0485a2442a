#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "storage/clock.h"
#include "storage/table/table.h"

namespace magneto::storage {

// How long the stamp of a deleted item is kept at least, so that an older change that comes late does
// not bring it back; as long as streams keep what replicas on AWS follow.
inline constexpr std::chrono::hours kStampsOfDeleted{24};

// Forgets the stamps of items that were deleted so long ago, and before whatever is still to be sent,
// which was made at `oldest_waiting`, in microseconds since the epoch, or later. Some at a time.
// Returns when the next one may be due; nullopt: none is left. Throws EngineError.
std::optional<Clock::TimePoint> forget_deleted(Engine& engine, const Table& table,
                                               Clock::TimePoint now, std::int64_t oldest_waiting);

}  // namespace magneto::storage
