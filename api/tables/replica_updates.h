#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "storage/model/global_table.h"
#include "storage/model/table_schema.h"

// Replicas of a table in other regions, as UpdateTable adds, changes and removes them.
namespace magneto::api {

std::vector<RequestedReplica> read_replica_updates(json::Value list);

// What can be said before the table is known. Throws ApiError.
void check_replica_updates(const TableParameters& request);

// Whether `region` looks like the name of one: "eu-west-1".
bool is_region(std::string_view region);
// The database of the caller's tables in another region. Throws ValidationException where the
// server keeps no regions apart.
storage::Database& database_in(Request& request, std::string_view region);

// Finds where new replicas will be, which makes databases; no tables of that name may be there yet.
void find_places(Request& request, std::string_view table, std::vector<RequestedReplica>& updates);
// Applies the updates to a copy of the table's schema. Throws ApiError.
void change_replicas(storage::TableSchema& schema, const std::vector<RequestedReplica>& updates,
                     double now);

// Replicas are being made, changed or removed.
bool is_changing_replicas(const storage::TableSchema& schema);

}  // namespace magneto::api
