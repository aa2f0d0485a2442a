#pragma once

#include <memory>
#include <string_view>

#include "storage/engine/cache/cached_partition.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// Walks `partition`, the cached `tree`, from `lower` to before `upper` (empty: its ends). If it is
// evicted meanwhile, walks the rest in the engine below. All of them must outlive the cursor.
std::unique_ptr<Cursor> make_cache_cursor(const Engine& below, const Tree& tree,
                                          const CachedPartition& partition, std::string_view lower,
                                          std::string_view upper, Direction direction,
                                          ScanHint hint);

}  // namespace magneto::storage
