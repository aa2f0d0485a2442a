#pragma once

#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "api/tables/table_parameters.h"

// What UpdateTable asks for replicas and for a witness. Rules, their order and words as observed on
// AWS, October 2026.
namespace magneto::api {

// Reads ReplicaUpdates, GlobalTableWitnessUpdates and MultiRegionConsistency.
void read_replica_parameters(json::Value input, TableParameters& parameters);

// What can be said before the table is known. Throws ApiError.
void check_replica_updates(const TableParameters& request);

// Whether `region` looks like the name of one: "eu-west-1".
bool is_region(std::string_view region);

using ReplicaAction = RequestedReplica::Action;
// The regions of the request's updates of that kind, each once, in their order.
std::vector<std::string_view> regions_of(const TableParameters& request, ReplicaAction action);

}  // namespace magneto::api
