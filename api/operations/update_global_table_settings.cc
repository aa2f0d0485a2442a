#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/messages/scaling_messages.h"
#include "api/messages/throughput_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/auto_scaling.h"
#include "api/tables/global_tables.h"
#include "api/tables/replica_shapes.h"
#include "api/tables/scaling_json.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_checks.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/global_table.h"

// AWS API reference, UpdateGlobalTableSettings: version 2017.11.29. Billing and write units apply
// to all replicas, read units and table class to one.
namespace magneto::api {

extern const Operation kUpdateGlobalTableSettings;
namespace {

constexpr std::int64_t kMostIndexes = 20;
constexpr std::int64_t kMostReplicas = 50;

constexpr MemberShape kIndexMembers[] = {
    kRequiredIndexName,
    {"ProvisionedWriteCapacityUnits", &kThroughputUnitsShape},
    {"ProvisionedWriteCapacityAutoScalingSettingsUpdate", &kScalingUpdateShape},
};
constexpr Shape kIndexShape =
    structure_shape("GlobalTableGlobalSecondaryIndexSettingsUpdate", kIndexMembers);
constexpr Shape kIndexesShape = with_range(list_shape(kIndexShape), 1, kMostIndexes);
constexpr MemberShape kReplicaIndexMembers[] = {
    kRequiredIndexName,
    {"ProvisionedReadCapacityUnits", &kThroughputUnitsShape},
    {"ProvisionedReadCapacityAutoScalingSettingsUpdate", &kScalingUpdateShape},
};
constexpr Shape kReplicaIndexShape =
    structure_shape("ReplicaGlobalSecondaryIndexSettingsUpdate", kReplicaIndexMembers);
constexpr Shape kReplicaIndexesShape = with_range(list_shape(kReplicaIndexShape), 1, kMostIndexes);
constexpr MemberShape kUpdateGlobalTableSettingsReplicaMembers[] = {
    kRequiredRegionName,
    {"ReplicaProvisionedReadCapacityUnits", &kThroughputUnitsShape},
    {"ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate", &kScalingUpdateShape},
    {"ReplicaGlobalSecondaryIndexSettingsUpdate", &kReplicaIndexesShape},
    {"ReplicaTableClass", &kReplicaClassShape},
};
constexpr Shape kUpdateGlobalTableSettingsReplicaShape =
    structure_shape("ReplicaSettingsUpdate", kUpdateGlobalTableSettingsReplicaMembers);
constexpr Shape kUpdateGlobalTableSettingsReplicasShape =
    with_range(list_shape(kUpdateGlobalTableSettingsReplicaShape), 1, kMostReplicas);
constexpr MemberShape kUpdateGlobalTableSettingsMembers[] = {
    {"GlobalTableName", &kResourceNameShape, Required::kYes},
    {"GlobalTableBillingMode", &kBillingModeShape},
    {"GlobalTableProvisionedWriteCapacityUnits", &kThroughputUnitsShape},
    {"GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate", &kScalingUpdateShape},
    {"GlobalTableGlobalSecondaryIndexSettingsUpdate", &kIndexesShape},
    {"ReplicaSettingsUpdate", &kUpdateGlobalTableSettingsReplicasShape},
};
constexpr Shape kUpdateGlobalTableSettingsInput = older_request(kUpdateGlobalTableSettingsMembers);

using Units = std::map<std::string, std::int64_t, std::less<>>;  // by index; "": the table

// The settings for one replica.
struct ReplicaUpdate {
  Units reads;
  std::vector<RequestedScaling> scalings;
  std::string_view table_class;  // empty: not given
};

struct SettingsUpdate {
  std::optional<storage::BillingMode> billing;
  Units writes;
  std::vector<RequestedScaling> scalings;
  std::map<std::string, ReplicaUpdate, std::less<>> replicas;  // by region
};

struct UnitMembers {
  std::string_view units;
  std::string_view scaling;
  bool of_reads;
};
constexpr UnitMembers kWritesOfTable{"GlobalTableProvisionedWriteCapacityUnits",
                                     "GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate",
                                     false};
constexpr UnitMembers kWritesOfIndex{"ProvisionedWriteCapacityUnits",
                                     "ProvisionedWriteCapacityAutoScalingSettingsUpdate", false};
constexpr UnitMembers kReadsOfTable{"ReplicaProvisionedReadCapacityUnits",
                                    "ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate",
                                    true};
constexpr UnitMembers kReadsOfIndex{"ProvisionedReadCapacityUnits",
                                    "ProvisionedReadCapacityAutoScalingSettingsUpdate", true};

void read_units(const Parameters& members, const UnitMembers& names, std::string_view index,
                Units& units, std::vector<RequestedScaling>& scalings) {
  if (const auto given = members.integer(names.units)) units.emplace(index, *given);
  read_scaling(members, names.scaling, index, names.of_reads, scalings);
}

void read_indexes(json::Value list, const UnitMembers& names, Units& units,
                  std::vector<RequestedScaling>& scalings) {
  std::set<std::string_view> indexes;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    const std::string_view index = members.string_or_empty("IndexName");
    if (!indexes.insert(index).second) fail_validation(messages::repeated_index(index));
    read_units(members, names, index, units, scalings);
  }
}

SettingsUpdate read_update(const Parameters& parameters) {
  SettingsUpdate update;
  const std::string_view billing = parameters.string_or_empty("GlobalTableBillingMode");
  if (!billing.empty()) {
    update.billing = billing == "PROVISIONED" ? storage::BillingMode::kProvisioned
                                              : storage::BillingMode::kPayPerRequest;
  }
  read_units(parameters, kWritesOfTable, {}, update.writes, update.scalings);
  read_indexes(parameters.value("GlobalTableGlobalSecondaryIndexSettingsUpdate"), kWritesOfIndex,
               update.writes, update.scalings);
  for (const json::Value element : parameters.value("ReplicaSettingsUpdate").array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    const std::string_view region = members.string_or_empty("RegionName");
    const auto [place, is_new] = update.replicas.try_emplace(std::string(region));
    if (!is_new) fail_validation(messages::repeated_replica(region));
    ReplicaUpdate& replica = place->second;
    read_units(members, kReadsOfTable, {}, replica.reads, replica.scalings);
    read_indexes(members.value("ReplicaGlobalSecondaryIndexSettingsUpdate"), kReadsOfIndex,
                 replica.reads, replica.scalings);
    replica.table_class = members.string_or_empty("ReplicaTableClass");
  }
  return update;
}

void require_indexes(const storage::TableSchema& schema, const Units& units,
                     const std::vector<RequestedScaling>& scalings) {
  const auto require = [&](const std::string& index) {
    if (index.empty()) return;
    const storage::IndexSchema* found = schema.find_index(index);
    if (found != nullptr && found->has_own_throughput()) return;
    throw ApiError(ErrorType::kIndexNotFound,
                   messages::index_of_global_table_not_found(index, schema.name));
  };
  for (const auto& [index, given] : units) require(index);
  for (const RequestedScaling& scaling : scalings) require(scaling.index);
}

void check_settings_update(const storage::TableSchema& schema, const SettingsUpdate& update) {
  check_left_blank(schema.name, update.scalings);
  require_indexes(schema, update.writes, update.scalings);
  for (const auto& [region, replica] : update.replicas) {
    if (region != schema.region && schema.global_table->find(region) == nullptr) {
      throw ApiError(ErrorType::kReplicaNotFound, messages::replica_not_found(region, schema.name));
    }
    check_left_blank(schema.name, replica.scalings);
    require_indexes(schema, replica.reads, replica.scalings);
  }
}

// nullopt: no change.
std::optional<RequestedThroughput> units_for(const storage::ProvisionedThroughput& now,
                                             std::string_view index, const Units& reads,
                                             const Units& writes) {
  const auto chosen = [&](const Units& given, std::int64_t otherwise) {
    const auto found = given.find(index);
    return found == given.end() ? otherwise : found->second;
  };
  const RequestedThroughput wanted{.read_units = chosen(reads, now.read_units),
                                   .write_units = chosen(writes, now.write_units)};
  if (wanted.read_units == now.read_units && wanted.write_units == now.write_units) {
    return std::nullopt;
  }
  if (wanted.read_units == 0 || wanted.write_units == 0) {
    fail_validation(messages::kSettingsUnits);
  }
  return wanted;
}

// Applies the same change as an UpdateTable in the replica's region.
void change_replica(storage::TableSchema& schema, const SettingsUpdate& update, double now) {
  static const ReplicaUpdate kNothing;
  const auto found = update.replicas.find(schema.region);
  const ReplicaUpdate& own = found == update.replicas.end() ? kNothing : found->second;
  TableParameters parameters;
  parameters.billing = update.billing;
  const storage::BillingMode billing = update.billing.value_or(schema.billing);
  const bool has_units = !update.writes.empty() || !own.reads.empty();
  if (billing == storage::BillingMode::kPayPerRequest && has_units) {
    fail_validation(messages::kUnitsOnDemand);
  }
  if (billing == storage::BillingMode::kProvisioned) {
    parameters.provisioned = units_for(schema.provisioned, {}, own.reads, update.writes);
    if (parameters.provisioned) check_capacity_bounds(*parameters.provisioned);
    if (!parameters.provisioned && schema.provisioned.read_units == 0) {
      fail_validation(messages::kSettingsUnits);
    }
    for (const storage::IndexSchema& index : schema.indexes) {
      if (!index.has_own_throughput()) continue;
      const auto units = units_for(index.provisioned, index.name, own.reads, update.writes);
      if (!units) continue;
      RequestedIndex requested;
      requested.kind = index.kind;
      requested.name = index.name;
      requested.provisioned = units;
      parameters.index_updates.add({index.kind, requested, std::nullopt, std::nullopt});
    }
  }
  if (!own.table_class.empty()) parameters.table_class = own.table_class;
  change_table(schema, parameters, now);
  change_scaling(schema, update.scalings);
  change_scaling(schema, own.scalings);
}

void update_global_table_settings(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view name = parameters.string_or_empty("GlobalTableName");
  const SettingsUpdate update = read_update(parameters);
  const storage::TablePtr table = global_table_with_settings(request, name);
  check_settings_update(table->schema, update);
  const double now = request.database.clock().epoch_seconds();
  std::vector<std::string> regions = {table->schema.region};
  for (const storage::Replica& replica : table->schema.global_table->replicas) {
    regions.push_back(replica.region);
  }
  // All replicas change or none, unless another request changes one in between.
  for (const std::string& region : regions) {
    const storage::TablePtr there = table_in(request, region, name);
    if (there == nullptr) continue;
    storage::TableSchema trial = there->schema;
    change_replica(trial, update, now);
  }
  for (const std::string& region : regions) {
    Caller there = request.caller;
    there.region = region;
    request.databases.find(there).update_table(name, [&](storage::TableSchema& schema) {
      if (schema.global_table != nullptr) change_replica(schema, update, now);
    });
  }
  write_global_settings(request, *global_table_with_settings(request, name));
}

}  // namespace

constinit const Operation kUpdateGlobalTableSettings{.name = "UpdateGlobalTableSettings",
                                                     .input = kUpdateGlobalTableSettingsInput,
                                                     .handle = &update_global_table_settings,
                                                     .writes = true,
                                                     .resource = "GlobalTableName",
                                                     .needs_store_alone = true};

}  // namespace magneto::api
