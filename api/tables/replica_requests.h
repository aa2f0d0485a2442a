#pragma once

#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "api/tables/table_parameters.h"

// Requests of UpdateTable for replicas and for a witness. Rules, order and texts are as observed on
// AWS, October 2026.
namespace magneto::api {

// Reads ReplicaUpdates, GlobalTableWitnessUpdates and MultiRegionConsistency.
void read_replica_parameters(json::Value input, TableParameters& parameters);

// Makes the checks that do not need the table. Throws ApiError.
void check_replica_updates(const TableParameters& request);

// Whether `region` looks like a region: "eu-west-1".
bool is_region(std::string_view region);

using ReplicaAction = RequestedReplica::Action;
// The regions in the request's updates of that kind, each once, in the order of the request.
std::vector<std::string_view> regions_of(const TableParameters& request, ReplicaAction action);

}  // namespace magneto::api
