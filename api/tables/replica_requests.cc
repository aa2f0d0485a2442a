#include "api/tables/replica_requests.h"

#include <algorithm>
#include <set>
#include <string>

#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/request/parameters.h"
#include "api/tables/strong_tables.h"
#include "api/tables/table_checks.h"

namespace magneto::api {
namespace {

constexpr std::size_t kLongestRegion = 32;

std::optional<std::int64_t> units_in(const Parameters& members, std::string_view structure,
                                     std::string_view name) {
  const json::Value value = members.value(structure);
  return value ? Parameters(value).integer(name) : std::nullopt;
}

storage::ReplicaSettings read_settings(const Parameters& members) {
  storage::ReplicaSettings settings;
  settings.kms_key_arn = members.string_or_empty("KMSMasterKeyId");
  settings.read_units = units_in(members, "ProvisionedThroughputOverride", "ReadCapacityUnits");
  settings.max_read_units = units_in(members, "OnDemandThroughputOverride", "MaxReadRequestUnits");
  settings.table_class = members.string_or_empty("TableClassOverride");
  const json::Value indexes = members.value("GlobalSecondaryIndexes");
  if (!indexes) return settings;
  for (const json::Value element : indexes.array()) {
    if (element.is_null()) continue;
    const Parameters index(element);
    settings.indexes.push_back(
        {std::string(index.string_or_empty("IndexName")),
         units_in(index, "ProvisionedThroughputOverride", "ReadCapacityUnits"),
         units_in(index, "OnDemandThroughputOverride", "MaxReadRequestUnits")});
  }
  return settings;
}

std::vector<RequestedReplica> read_replica_updates(json::Value list) {
  std::vector<RequestedReplica> updates;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    RequestedReplica update;
    for (const auto& [name, action] :
         {std::pair{"Create", ReplicaAction::kCreate}, std::pair{"Update", ReplicaAction::kUpdate},
          std::pair{"Delete", ReplicaAction::kDelete},
          std::pair{"Disassociate", ReplicaAction::kDisassociate}}) {
      const json::Value value = members.value(name);
      if (!value) continue;
      ++update.actions;
      update.action = action;
      update.region = Parameters(value).string_or_empty("RegionName");
      update.settings = read_settings(Parameters(value));
    }
    updates.push_back(std::move(update));
  }
  return updates;
}

std::optional<RequestedWitness> read_witness_update(json::Value list) {
  std::optional<RequestedWitness> witness;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    witness.emplace();
    if (const json::Value create = members.value("Create")) {
      witness->creates = true;
      witness->region = Parameters(create).string_or_empty("RegionName");
    }
    if (const json::Value remove = members.value("Delete")) {
      witness->removes = true;
      witness->region = Parameters(remove).string_or_empty("RegionName");
    }
  }
  return witness;
}

// Maxima of replicas have the range of the table's own.
void check_maxima(const storage::ReplicaSettings& settings) {
  check_on_demand_range({settings.max_read_units, std::nullopt}, "table", true);
  for (const storage::ReplicaIndex& index : settings.indexes) {
    check_on_demand_range({index.max_read_units, std::nullopt}, "index : " + index.name, true);
  }
}

// An Update without settings is no action.
bool is_empty(const RequestedReplica& update) {
  const storage::ReplicaSettings& settings = update.settings;
  const bool has_indexes = std::ranges::any_of(
      settings.indexes,
      [](const storage::ReplicaIndex& index) { return index.read_units || index.max_read_units; });
  return update.action == ReplicaAction::kUpdate && settings.kms_key_arn.empty() &&
         !settings.read_units && !settings.max_read_units && settings.table_class.empty() &&
         !has_indexes;
}

// The same Create or Delete twice is no error (captured from AWS, October 2026, for Create):
// regions_of() returns the region once.
void check_actions(const std::vector<RequestedReplica>& updates) {
  std::set<std::string_view> changed;
  for (const RequestedReplica& update : updates) {
    if (update.actions == 0 || is_empty(update)) fail_validation(messages::kNoReplicaAction);
    if (update.actions > 1 || update.action != updates.front().action) {
      fail_validation(messages::kReplicaActionTypes);
    }
    if (!is_region(update.region)) fail_validation(messages::not_a_region(update.region));
    check_maxima(update.settings);
    if (update.action != ReplicaAction::kUpdate) continue;
    if (!changed.insert(update.region).second) {
      fail_validation(messages::repeated_region(update.region));
    }
  }
}

}  // namespace

void read_replica_parameters(json::Value input, TableParameters& parameters) {
  const Parameters members(input);
  if (const json::Value updates = members.value("ReplicaUpdates")) {
    parameters.replica_updates = read_replica_updates(updates);
  }
  if (const json::Value updates = members.value("GlobalTableWitnessUpdates")) {
    parameters.witness_update = read_witness_update(updates);
  }
  parameters.consistency = members.string_or_empty("MultiRegionConsistency");
  if (const json::Value is_protected = members.value("DisassociationProtectionEnabled")) {
    parameters.disassociation_protection = is_protected.boolean();
  }
}

void check_replica_updates(const TableParameters& request) {
  if (!request.replica_updates) return;
  if (request.replica_updates->empty()) fail_validation(messages::kNoReplicaAction);
  check_actions(*request.replica_updates);
  if (request.replica_updates->front().action == ReplicaAction::kDisassociate &&
      request.replica_updates->size() > 1) {
    fail_validation(messages::kDisassociationNotAlone);
  }
  check_strong_request(request);
  if (!request.asks_strong() && regions_of(request, ReplicaAction::kCreate).size() > 1) {
    fail_validation(messages::kSeveralReplicas);
  }
}

bool is_region(std::string_view region) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_allowed = [&](char c) {
    return is_letter(c) || c == '-' || (c >= '0' && c <= '9');
  };
  return region.size() >= 2 && region.size() <= kLongestRegion && is_letter(region.front()) &&
         region.back() != '-' && std::ranges::all_of(region, is_allowed);
}

std::vector<std::string_view> regions_of(const TableParameters& request, ReplicaAction action) {
  std::vector<std::string_view> regions;
  if (!request.replica_updates) return regions;
  for (const RequestedReplica& update : *request.replica_updates) {
    if (update.action != action) continue;
    if (std::ranges::find(regions, update.region) != regions.end()) continue;
    regions.push_back(update.region);
  }
  return regions;
}

}  // namespace magneto::api
