#pragma once

#include <string_view>

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// Replicas of a table in other regions, as UpdateTable adds, changes and removes them.
namespace magneto::api {

// The database of the caller's tables in another region. Throws ValidationException where the
// server keeps no regions apart.
storage::Database& database_in(Request& request, std::string_view region);

// Whether a table with this schema can have its replicas changed so. Throws ApiError.
void check_replicas(const storage::TableSchema& schema, const TableParameters& parameters);
// Finds where new replicas will be, which makes databases; no tables of that name may be there yet.
void find_places(Request& request, std::string_view table, TableParameters& parameters);
// Applies ReplicaUpdates and GlobalTableWitnessUpdates to a copy of the table's schema. Throws
// ApiError.
void change_replicas(storage::TableSchema& schema, const TableParameters& parameters, double now);

// Applies DisassociationProtectionEnabled. Throws ApiError where the table is no replica that could be
// disassociated.
void protect_membership(storage::TableSchema& schema, bool is_protected);

// Replicas or a witness are being made, changed, removed or disassociated.
bool is_changing_replicas(const storage::TableSchema& schema);

}  // namespace magneto::api
