#pragma once

#include "api/tables/table_parameters.h"
#include "storage/table/table.h"

// Global tables with MultiRegionConsistency STRONG: three regions, of which one may be a witness,
// that come and go together. Rules, their order and words as observed on AWS, October 2026, but for
// what the AWS developer guide ("Multi-Region strong consistency") tells without words.
namespace magneto::api {

// What of it can be said before the table is known. Each throws ValidationException.
void check_strong_request(const TableParameters& request);
// Whether the members of a global table, or a table of one region, may be changed so.
void check_strong_members(const storage::TableSchema& schema, const TableParameters& request);
// Whether they may go: all that are removed are members.
void check_strong_removal(const storage::TableSchema& schema, const TableParameters& request);
// Whether the table may become STRONG, where that is asked for.
// `schema` is what is edited of a version of `table`.
void check_can_be_strong(const storage::Table& table, const storage::TableSchema& schema,
                         const TableParameters& request);

// Makes a table STRONG, before its replicas are added. `now` in seconds since the epoch.
void make_strong(storage::TableSchema& schema, const TableParameters& request, double now);

// A transaction has no STRONG table in it.
void refuse_strong_in_transaction(const storage::TableSchema& schema);

}  // namespace magneto::api
