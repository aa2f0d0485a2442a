#pragma once

#include <string_view>
#include <vector>

#include "storage/table/catalog.h"

// The tables of a global table, each in the database of its region.
namespace magneto::storage {

struct Replica;  // storage/model/global_table.h

// The table of a replica, if that table has this one as a replica; otherwise nullptr.
TablePtr partner_of(const Catalog& catalog, const TableSchema& table, const Replica& replica);
// This table, and the tables of its replicas that exist and stay, except the one in region
// `except`.
std::vector<TablePtr> members_of(const Catalog& catalog, const TablePtr& table,
                                 std::string_view except);

// Checks an edit of `before` under the catalog's lock for changes. Throws SettingsBehind if it
// changes settings that all replicas share and another replica has newer settings than `before`.
// Each version of the settings is thus made from the previous one, and none is lost.
void require_newest_settings(const Catalog& catalog, const TableSchema& before,
                             const TableSchema& schema);

}  // namespace magneto::storage
