#pragma once

#include <string_view>
#include <vector>

#include "storage/table/catalog.h"

// The tables of a global table, each in the database of its region.
namespace magneto::storage {

struct Replica;  // storage/model/global_table.h

// The table of a replica, where that knows of this one; nullptr: there is none.
TablePtr partner_of(const Catalog& catalog, const TableSchema& table, const Replica& replica);
// This one, and those of its replicas that are there and stay, but that in the region `except`.
std::vector<TablePtr> members_of(const Catalog& catalog, const TablePtr& table,
                                 std::string_view except);

// Of an edit of `before` under the catalog's lock for changes: throws SettingsBehind where it
// changes what all have alike and another one has newer settings than `before`. So each version of
// the settings is made of the one before it, and none is lost.
void require_newest_settings(const Catalog& catalog, const TableSchema& before,
                             const TableSchema& schema);

}  // namespace magneto::storage
