#pragma once

#include <string_view>
#include <vector>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "storage/table/table.h"

// Global tables of version 2017.11.29. Their tables exist before they join and after they leave
// (AWS API reference, CreateGlobalTable, UpdateGlobalTable).
namespace magneto::api {

// Returns the caller's table in a global table of that version. Throws
// GlobalTableNotFoundException.
storage::TablePtr existing_global_table(Request& request, std::string_view name);
// The same, with the text that the operations on settings have for the error.
storage::TablePtr global_table_with_settings(Request& request, std::string_view name);
bool is_legacy_global_table(const storage::Table& table);

// Returns a table of that region that can join a global table. Throws TableNotFoundException if
// there is none, or another ApiError if it cannot join.
storage::TablePtr joining_table(Request& request, std::string_view region, std::string_view name);
// Throws ValidationException unless `table` has the key and indexes of `first` and no items.
void check_joining(const storage::Table& first, const storage::Table& table);

// Writes the member GlobalTableDescription.
void write_global_table(json::Writer& writer, const storage::Table& table);
// Writes the member ReplicationGroup of ListGlobalTables: the regions.
void write_regions(json::Writer& writer, const storage::Table& table);

}  // namespace magneto::api
