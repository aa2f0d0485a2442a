#pragma once

#include "api/reads/read_target.h"
#include "storage/model/attribute_value.h"
#include "storage/model/key_condition.h"

// ExclusiveStartKey of Query and Scan: the table's key attributes and, for an index, the index's.
// Every function throws a bare ValidationException.
namespace magneto::api {

// The checks of a Query's start key stand before and behind those of its key condition.
void check_start_key_partition(const ReadTarget& target, storage::ItemView start);
void check_start_key_sort(const ReadTarget& target, storage::ItemView start);
// That the start lies within the condition, which a table without sort key has no room for
// (captured facts 2, "Query, Scan").
void check_start_key_within(const ReadTarget& target, storage::ItemView start,
                            const storage::KeyCondition& condition);

void check_scan_start_key(const ReadTarget& target, storage::ItemView start);

}  // namespace magneto::api
