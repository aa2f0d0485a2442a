#pragma once

#include <cstdint>
#include <vector>

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// GlobalSecondaryIndexUpdates, and those of other kinds of indexes.
namespace magneto::api {

// An index of a request, with the key types of `definitions`.
storage::IndexSchema new_index_schema(const RequestedIndex& index,
                                      const std::vector<storage::KeyAttribute>& definitions);

// Applies the index updates of UpdateTable to a schema whose billing mode is already the new one.
// Throws ApiError: unknown or existing index, more than one index created or deleted at a time, an
// index that is busy, throughput that the billing mode does not allow or that does not change.
void change_indexes(storage::TableSchema& schema, const TableParameters& request, double now);

// Sets new provisioned units; notes increases and decreases.
void set_provisioned(storage::ProvisionedThroughput& throughput,
                     const RequestedThroughput& requested, double now);

// Decreases on the day (UTC) of `now`: the count starts anew at midnight.
std::int64_t decreases_today(const storage::ProvisionedThroughput& throughput, double now);

// Merges OnDemandThroughput member by member; -1 clears a member.
void merge_on_demand(storage::OnDemandThroughput& throughput,
                     const storage::OnDemandThroughput& requested);

// Throws when both units are the present ones: of `index`, or of the table when it is empty.
void require_throughput_change(const storage::ProvisionedThroughput& current,
                               const RequestedThroughput& requested, std::string_view index);

// Throws when `requested` is lower than the present level; `scope` is "table" or "index name".
void raise_warm_throughput(storage::WarmThroughput& warm, const storage::WarmThroughput& requested,
                           storage::BillingMode billing,
                           const storage::ProvisionedThroughput& provisioned,
                           std::string_view scope);

}  // namespace magneto::api
