#pragma once

#include "storage/model/table_schema.h"

// Statuses in a schema that end by themselves: CREATING, UPDATING, DELETING of tables and indexes,
// ENABLING and DISABLING of time to live. All functions are pure.
namespace magneto::storage {

// A restored table is CREATING until all its items are there, even if other statuses end.
bool is_being_restored(const TableSchema& schema);
// The same, or the table is a new replica being filled.
bool is_being_filled(const TableSchema& schema);

// Whether finish_passing() must end a status of the table or of an index. It does not end that of a
// table being restored or an index being filled, which end later, nor DELETING of the table, which
// ends with the table.
bool is_passing(const TableSchema& schema);
bool is_passing(const TimeToLive& time_to_live);

// Sets the status of a new table and its indexes: CREATING or ACTIVE.
void set_all_statuses(TableSchema& schema, ResourceStatus status);

// Prepares an edited schema for the start of its changes. Indexes without a number get one and are
// CREATING; time to live that is ENABLING gets a queue, and loses it when it is DISABLING. The
// table is UPDATING while indexes are added or removed.
void begin_passing(TableSchema& schema);
// Whether an index has begun to be added, and is not filled yet.
bool has_new_index(const TableSchema& schema);

// Sets the state after the temporary statuses. An index that was added to a table must then be
// filled.
void finish_passing(TableSchema& schema);
void finish_passing(TimeToLive& time_to_live);

}  // namespace magneto::storage
