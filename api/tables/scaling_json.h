#pragma once

#include <string_view>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "storage/table/table.h"

// The throughput and auto scaling of a global table's tables in all regions, in answers.
namespace magneto::api {

// Returns the table with that name in one region's database, or nullptr.
storage::TablePtr table_in(const Request& request, std::string_view region, std::string_view name);

// Returns the table for the operations on auto scaling of replicas. It must belong to a global
// table of version 2019.11.21. Throws ResourceNotFoundException.
storage::TablePtr scaled_table(const Request& request, std::string_view name_or_arn);

// Writes an answer with TableAutoScalingDescription (AWS API reference,
// DescribeTableReplicaAutoScaling).
void write_replica_scaling(Request& request, const storage::Table& table);
// Writes an answer with ReplicaSettings (AWS API reference, DescribeGlobalTableSettings).
void write_global_settings(Request& request, const storage::Table& table);

}  // namespace magneto::api
