#pragma once

#include <string>
#include <vector>

#include "storage/model/global_table.h"
#include "storage/model/table_schema.h"

// The settings that the tables of a global table share, and those that each has of its own (AWS
// developer guide, "Global tables: settings"). All functions are pure, except that they take
// numbers from the schema.
namespace magneto::storage {

// The table of a new replica, empty and CREATING: a copy of `from` without the settings of each
// region: tags, policies, protection, backups, insights. `others` are all tables that will be its
// replicas.
TableSchema replica_schema(const TableSchema& from, const Replica& replica,
                           const std::vector<const TableSchema*>& others);

// Copies the shared settings of `from` to the replica `to`, except those that `to` has of its own.
// False if some must wait until an index is gone.
bool copy_settings(const TableSchema& from, TableSchema& to);

}  // namespace magneto::storage
