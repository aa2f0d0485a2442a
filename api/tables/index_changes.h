#pragma once

#include <cstdint>
#include <vector>

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// The index updates of UpdateTable, for each kind of index.
namespace magneto::api {

// Returns the schema of a requested index, with the key types of `definitions`.
storage::IndexSchema new_index_schema(const RequestedIndex& index,
                                      const std::vector<storage::KeyAttribute>& definitions);

// Applies the index updates of UpdateTable to a schema whose billing mode is already the new one.
// Throws ApiError if an index does not exist, exists already or is busy, and if more than one index
// is created or deleted at a time. Also throws if the billing mode does not allow the throughput,
// or if the throughput does not change.
void change_indexes(storage::TableSchema& schema, const TableParameters& request, double now);

// Sets new provisioned units, and records the times of increases and decreases.
void set_provisioned(storage::ProvisionedThroughput& throughput,
                     const RequestedThroughput& requested, double now);

// The number of decreases on the day (UTC) of `now`. The count restarts at midnight.
std::int64_t decreases_today(const storage::ProvisionedThroughput& throughput, double now);

// Merges OnDemandThroughput member by member; -1 clears a member.
void merge_on_demand(storage::OnDemandThroughput& throughput,
                     const storage::OnDemandThroughput& requested);

// Throws ValidationException if both units equal the current ones. `index` is for the text; if it
// is empty, the units are the table's.
void require_throughput_change(const storage::ProvisionedThroughput& current,
                               const RequestedThroughput& requested, std::string_view index);

// Raises the levels that are given. Throws ValidationException if one is lower than the current
// level. `scope`, for the text, is "table" or "index name".
void raise_warm_throughput(storage::WarmThroughput& warm, const storage::WarmThroughput& requested,
                           storage::BillingMode billing,
                           const storage::ProvisionedThroughput& provisioned,
                           std::string_view scope);

}  // namespace magneto::api
