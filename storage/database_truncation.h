#pragma once

#include <cstdint>
#include <stop_token>

#include "storage/database.h"

namespace magneto::storage {

// Deletes the items that a table has now, as clients would, one commit for some at a time: indexes
// and streams follow, and what is written meanwhile may stay. How many it deleted; fewer than all
// when `stop` is asked to or the table is deleted. Waits as Database::write_all() does; throws
// EngineError.
std::uint64_t delete_all_items(Database& database, const TablePtr& table,
                               const std::stop_token& stop);

}  // namespace magneto::storage
