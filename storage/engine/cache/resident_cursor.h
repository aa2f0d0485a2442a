#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "storage/engine/cache/resident_copies.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// Walks the copy of a tree from `lower` to before `upper` (empty: its ends) and, should the copy be
// given up meanwhile, the rest on disk: `scan_disk` makes a cursor there. `prefix` is the tree's
// and outlives the cursor, as `copy` does.
std::unique_ptr<Cursor> make_resident_cursor(
    const ResidentCopy& copy, std::string_view prefix, std::string_view lower,
    std::string_view upper, Direction direction,
    std::function<std::unique_ptr<Cursor>(std::string_view lower, std::string_view upper)>
        scan_disk);

}  // namespace magneto::storage
