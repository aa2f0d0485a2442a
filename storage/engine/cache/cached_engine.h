#pragma once

#include <cstdint>
#include <memory>

#include "storage/engine/engine.h"

namespace magneto::storage {

// An engine above another, `below`, of which it keeps whole trees of items and index entries in
// memory too, so that reads of what fits `budget` (bytes) cost what they cost in memory. A tree is
// loaded in the background when it is first read, and evicted when the budget is spent. Commits go
// below first and into the cache after that. All promises of `below` hold.
//
// Trees are those of `below`, each with a CachedPartition attached; so there is at most one such
// engine above another.
std::unique_ptr<Engine> make_cached_engine(std::unique_ptr<Engine> below, std::uint64_t budget);

}  // namespace magneto::storage
