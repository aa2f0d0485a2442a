#pragma once

#include <cstdint>
#include <stop_token>

#include "storage/database.h"

namespace magneto::storage {

// Deletes the items that a table has now as clients would, in commits of a few items: indexes and
// streams follow. Items that are written meanwhile may stay. Returns how many it deleted: fewer
// than all if a stop is requested or the table is deleted. Waits as Database::write_all() does;
// throws EngineError.
std::uint64_t delete_all_items(Database& database, const TablePtr& table,
                               const std::stop_token& stop);

}  // namespace magneto::storage
