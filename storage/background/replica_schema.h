#pragma once

#include <string>
#include <vector>

#include "storage/model/global_table.h"
#include "storage/model/table_schema.h"

// What the tables of a global table have alike, and what each has of its own (AWS developer guide,
// "Global tables: settings"). All functions are pure but for the numbers they take.
namespace magneto::storage {

// The table of a new replica, empty and CREATING: as `from` is, but without what is each region's
// own: tags, policies, protection, backups, insights. `others` are all that are to be replicas of
// it.
TableSchema replica_schema(const TableSchema& from, const Replica& replica,
                           const std::vector<const TableSchema*>& others);

// Takes over what `from` has of that, but what the replica `to` has of its own. False when some of
// it has to wait for an index to be gone.
bool copy_settings(const TableSchema& from, TableSchema& to);

}  // namespace magneto::storage
