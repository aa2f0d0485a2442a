#pragma once

#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// What CreateTable and UpdateTable refuse before they look at any table, in DynamoDB's order and
// words (captured facts, "CreateTable" and "UpdateTable"; texts and order as observed on AWS,
// October 2026). All throw ValidationException.
namespace magneto::api {

// Largest value of ReadCapacityUnits and WriteCapacityUnits.
inline constexpr std::int64_t kMaxCapacityUnits = 1'000'000'000'000;

void check_create_table(const TableParameters& request);
void check_update_table(const TableParameters& request);

// "Given value 1000000000001 for ReadCapacityUnits is out of bounds"
void check_capacity_bounds(const RequestedThroughput& throughput);

// OnDemandThroughput: at least 1, and -1 (no maximum) when `may_clear`. `scope` ends the message:
// "table" or "index : name".
void check_on_demand_range(const storage::OnDemandThroughput& throughput, std::string_view scope,
                           bool may_clear);

// OnDemandThroughput and WarmThroughput of a new global index.
void check_new_index_throughput(const RequestedIndex& index, bool on_demand);

// SSESpecification by itself, StreamSpecification by itself (UpdateTable's words), TableClass.
void check_encryption(const RequestedEncryption& encryption);
void check_stream_update(const RequestedStream& stream);
void check_table_class(std::string_view table_class);

}  // namespace magneto::api
