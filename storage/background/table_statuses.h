#pragma once

#include "storage/model/table_schema.h"

// Statuses that end by themselves, as they stand in a schema: CREATING, UPDATING, DELETING of
// tables and indexes, ENABLING and DISABLING of time to live. All functions are pure.
namespace magneto::storage {

// From its making until all items are there it is CREATING, whatever else passes.
bool is_being_restored(const TableSchema& schema);
// The same, or as a new replica.
bool is_being_filled(const TableSchema& schema);

// That of the table or of an index is to be ended by finish_passing(): not of a table that is being
// restored or an index that is being filled, which end later, nor DELETING of the table, which ends
// with it.
bool is_passing(const TableSchema& schema);
bool is_passing(const TimeToLive& time_to_live);

// The table, with its indexes, as it is made: CREATING or ACTIVE.
void set_all_statuses(TableSchema& schema, ResourceStatus status);

// Makes an edited schema one in which changes begin: indexes without a number are CREATING and get
// one, time to live that is ENABLING gets a queue, or loses it when it is DISABLING, and the table
// is UPDATING while indexes come or go.
void begin_passing(TableSchema& schema);

// The state after the passing ones. An index that was added to a table is to be filled then.
void finish_passing(TableSchema& schema);
void finish_passing(TimeToLive& time_to_live);

}  // namespace magneto::storage
