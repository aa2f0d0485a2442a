#pragma once

#include <string_view>
#include <vector>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "storage/table/table.h"

// Global tables of version 2017.11.29, whose tables were there before and stay after (AWS API
// reference, CreateGlobalTable, UpdateGlobalTable).
namespace magneto::api {

// The table of the caller's region that is one of such a global table. Throws
// GlobalTableNotFoundException.
storage::TablePtr existing_global_table(Request& request, std::string_view name);
// The same in other words, of the operations on settings.
storage::TablePtr global_table_with_settings(Request& request, std::string_view name);
bool is_legacy_global_table(const storage::Table& table);

// A table that can become one of a global table, in that region. Throws TableNotFoundException
// where there is none, else what is wrong with it.
storage::TablePtr joining_table(Request& request, std::string_view region, std::string_view name);
// The same key, indexes and stream as the first one has, and no items. Throws ValidationException.
void check_joining(const storage::Table& first, const storage::Table& table);

// The member GlobalTableDescription.
void write_global_table(json::Writer& writer, const storage::Table& table);
// The member ReplicationGroup of ListGlobalTables: the regions.
void write_regions(json::Writer& writer, const storage::Table& table);

}  // namespace magneto::api
