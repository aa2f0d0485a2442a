#pragma once

#include "api/reads/read_target.h"
#include "storage/model/attribute_value.h"
#include "storage/model/key_condition.h"

// ExclusiveStartKey of Query and Scan: the table's key attributes and, for an index, the index's
// key attributes. Every function throws a bare ValidationException.
namespace magneto::api {

// A Query calls these checks of its start key before and after those of its key condition.
void check_start_key_partition(const ReadTarget& target, storage::ItemView start);
void check_start_key_sort(const ReadTarget& target, storage::ItemView start);
// Checks that the start key lies within the condition. Always throws for a table without a sort
// key: its condition leaves no room for a start key (captured facts 2, "Query, Scan").
void check_start_key_within(const ReadTarget& target, storage::ItemView start,
                            const storage::KeyCondition& condition);

void check_scan_start_key(const ReadTarget& target, storage::ItemView start);

}  // namespace magneto::api
