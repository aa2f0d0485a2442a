#pragma once

#include "api/request/parameters.h"
#include "storage/database.h"

namespace magneto::api {

// The view that a read gets: eventually consistent, unless the read asks for strong consistency.
inline storage::ReadView view_of_read(storage::Database& database, bool consistent) {
  if (!database.reads_are_stale() || consistent) [[likely]]
    return {};
  return database.stale_view();
}
// The view for a request that may have the parameter ConsistentRead.
inline storage::ReadView view_of_read(storage::Database& database, const Parameters& parameters) {
  if (!database.reads_are_stale()) [[likely]]
    return {};
  return view_of_read(database, parameters.boolean("ConsistentRead"));
}

}  // namespace magneto::api
