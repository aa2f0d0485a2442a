#pragma once

#include <string_view>

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// Replicas of a table in other regions, as UpdateTable adds, changes and removes them.
namespace magneto::api {

// Returns the caller's database in another region, and creates it if needed. Throws
// ValidationException if the server does not separate regions, or for a caller with DynamoDB
// Local's profile.
storage::Database& database_in(Request& request, std::string_view region);

// Checks whether a table with this schema allows these changes of replicas. Throws ApiError.
void check_replicas(const storage::TableSchema& schema, const TableParameters& parameters);
// Finds the database of each new replica, and creates it if needed. Throws ValidationException if a
// database has a table with that name already, or if a removed replica has deletion protection.
void find_places(Request& request, std::string_view table, TableParameters& parameters);
// Applies ReplicaUpdates and GlobalTableWitnessUpdates to a copy of the table's schema. Throws
// ApiError.
void change_replicas(storage::TableSchema& schema, const TableParameters& parameters, double now);

// Applies DisassociationProtectionEnabled. Throws ApiError if the table is not a replica that can
// be disassociated.
void protect_membership(storage::TableSchema& schema, bool is_protected);

// Whether replicas or a witness are being created, updated, deleted or disassociated.
bool is_changing_replicas(const storage::TableSchema& schema);

}  // namespace magneto::api
