#pragma once

#include "api/tables/table_parameters.h"
#include "storage/table/table.h"

// Global tables with MultiRegionConsistency STRONG: three regions that join and leave together. One
// of them may be a witness. Rules, order and texts are as observed on AWS, October 2026. Some rules
// are only from the AWS developer guide ("Multi-Region strong consistency"), which has no texts.
namespace magneto::api {

// Makes the checks that do not need the table. This and the other checks throw ValidationException.
void check_strong_request(const TableParameters& request);
// Checks the changes of members against a global table, or a table of one region.
void check_strong_members(const storage::TableSchema& schema, const TableParameters& request);
// Checks whether the members may be removed together. All removed replicas must be members.
void check_strong_removal(const storage::TableSchema& schema, const TableParameters& request);
// Checks whether the table may become STRONG, if the request asks for that. `schema` is the edited
// schema of `table`.
void check_can_be_strong(const storage::Table& table, const storage::TableSchema& schema,
                         const TableParameters& request);

// Makes a table STRONG, before its replicas are added. `now`: seconds since the epoch.
void make_strong(storage::TableSchema& schema, const TableParameters& request, double now);

// Throws ValidationException for a STRONG table: a transaction cannot use one.
void refuse_strong_in_transaction(const storage::TableSchema& schema);

}  // namespace magneto::api
