#pragma once

#include <string_view>

#include "api/json/json_writer.h"
#include "api/operation.h"
#include "storage/table/table.h"

// What the tables of all regions of a global table have of throughput and auto scaling.
namespace magneto::api {

// The table of that name in the database of one region; nullptr: there is none.
storage::TablePtr table_in(const Request& request, std::string_view region, std::string_view name);

// The table that operations on auto scaling of replicas mean, one of a global table of version
// 2019.11.21. Throws ResourceNotFoundException.
storage::TablePtr scaled_table(const Request& request, std::string_view name_or_arn);

// An answer with TableAutoScalingDescription (AWS API reference, DescribeTableReplicaAutoScaling).
void write_replica_scaling(Request& request, const storage::Table& table);
// An answer with ReplicaSettings (AWS API reference, DescribeGlobalTableSettings).
void write_global_settings(Request& request, const storage::Table& table);

}  // namespace magneto::api
