#pragma once

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// The checks of CreateTable and UpdateTable that do not need any table, with DynamoDB's order and
// texts (captured facts, "CreateTable" and "UpdateTable"; observed on AWS, October 2026). All throw
// ValidationException.
namespace magneto::api {

// The largest value of ReadCapacityUnits and WriteCapacityUnits.
inline constexpr std::int64_t kMaxCapacityUnits = 1'000'000'000'000;

void check_create_table(const TableParameters& request);
void check_update_table(const TableParameters& request);

// Throws "Given value 1000000000001 for ReadCapacityUnits is out of bounds".
void check_capacity_bounds(const RequestedThroughput& throughput);

// Checks OnDemandThroughput: at least 1, or -1 (no maximum) if `may_clear`. `scope` ends the text:
// "table" or "index : name".
void check_on_demand_range(const storage::OnDemandThroughput& throughput, std::string_view scope,
                           bool may_clear);

// Refuses the members of OnDemandThroughput, for a table that is or becomes PROVISIONED.
void check_no_maximum(const storage::OnDemandThroughput& throughput);

// Checks OnDemandThroughput and WarmThroughput of a new global index.
void check_new_index_throughput(const RequestedIndex& index, bool on_demand);

// Check SSESpecification, StreamSpecification (with the texts of UpdateTable) and TableClass, each
// by itself.
void check_encryption(const RequestedEncryption& encryption);
void check_stream_update(const RequestedStream& stream);
void check_table_class(std::string_view table_class);

}  // namespace magneto::api
