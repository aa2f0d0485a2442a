#pragma once

#include <cstdint>
#include <memory>

#include "storage/engine/engine.h"

namespace magneto::storage {

// An engine above another one, `below`, that also keeps whole trees of items and index entries in
// memory. Reads of trees that fit `budget` (bytes) cost as much as reads in memory. A tree is
// loaded in the background when it is first read, and evicted when the budget is used up. Commits
// go to `below` first, then to the cache. All guarantees of `below` hold.
//
// Trees are those of `below`, each with a CachedPartition attached; so another engine can have at
// most one such engine above it.
std::unique_ptr<Engine> make_cached_engine(std::unique_ptr<Engine> below, std::uint64_t budget);

}  // namespace magneto::storage
