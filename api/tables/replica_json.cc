#include "api/tables/replica_json.h"

#include <optional>
#include <string>

#include "api/messages/replica_messages.h"
#include "api/tables/schema_json.h"
#include "api/tables/table_changes.h"

namespace magneto::api {
namespace {

using storage::TableSchema;

constexpr std::string_view kReplicationMode = "GlobalTableSettingsReplicationMode";
constexpr std::string_view kWithOverrides = "ENABLED_WITH_OVERRIDES";

void write_override(json::Writer& writer, std::string_view structure, std::string_view name,
                    const std::optional<std::int64_t>& value) {
  if (!value) return;
  writer.key(structure);
  writer.begin_object();
  writer.integer(name, *value);
  writer.end_object();
}

void write_overrides(json::Writer& writer, const std::optional<std::int64_t>& read_units,
                     const std::optional<std::int64_t>& max_read_units) {
  write_override(writer, "ProvisionedThroughputOverride", "ReadCapacityUnits", read_units);
  write_override(writer, "OnDemandThroughputOverride", "MaxReadRequestUnits", max_read_units);
}

// The warm level of a replica, with its own read units if it has some.
WarmLevel warm_level_of(const TableSchema& table, const storage::WarmThroughput& warm,
                        storage::ProvisionedThroughput provisioned,
                        const std::optional<std::int64_t>& read_units) {
  if (read_units) provisioned.read_units = *read_units;
  return warm_level(warm, table.billing, provisioned);
}

void write_replica_index(json::Writer& writer, const TableSchema& table,
                         const storage::IndexSchema& index,
                         const storage::ReplicaSettings& settings) {
  static const storage::ReplicaIndex kInherited;
  const storage::ReplicaIndex* found = settings.find_index(index.name);
  const storage::ReplicaIndex& own = found == nullptr ? kInherited : *found;
  writer.begin_object();
  writer.text("IndexName", index.name);
  write_overrides(writer, own.read_units, own.max_read_units);
  write_warm(writer, warm_level_of(table, index.warm, index.provisioned, own.read_units), false);
  writer.end_object();
}

void write_replica_indexes(json::Writer& writer, const TableSchema& table,
                           const storage::ReplicaSettings& settings) {
  bool is_open = false;
  for (const storage::IndexSchema& index : table.indexes) {
    if (!index.has_own_throughput()) continue;
    if (!is_open) {
      writer.key("GlobalSecondaryIndexes");
      writer.begin_array();
      is_open = true;
    }
    write_replica_index(writer, table, index, settings);
  }
  if (is_open) writer.end_array();
}

// The AWS managed key differs by region.
std::string key_of(const TableSchema& table, const storage::Replica& replica) {
  if (!replica.settings.kms_key_arn.empty()) return replica.settings.kms_key_arn;
  if (!table.encryption.enabled || !is_key_of_aws(table.encryption.key_arn)) return {};
  std::string key = table.encryption.key_arn;
  const std::size_t region = key.find(table.region);
  return region == std::string::npos ? key
                                     : key.replace(region, table.region.size(), replica.region);
}

void write_replica_settings(json::Writer& writer, const TableSchema& table,
                            const storage::Replica& replica) {
  const storage::ReplicaSettings& settings = replica.settings;
  const std::string key = key_of(table, replica);
  if (!key.empty()) writer.text("KMSMasterKeyId", key);
  write_overrides(writer, settings.read_units, settings.max_read_units);
  write_warm(writer, warm_level_of(table, table.warm, table.provisioned, settings.read_units),
             false);
  write_replica_indexes(writer, table, settings);
  if (settings.table_class.empty()) return;
  writer.key("ReplicaTableClassSummary");
  writer.begin_object();
  writer.text("TableClass", settings.table_class);
  writer.end_object();
}

void write_witness(json::Writer& writer, const storage::Witness& witness) {
  writer.key("GlobalTableWitnesses");
  writer.begin_array();
  writer.begin_object();
  writer.text("RegionName", witness.region);
  writer.text("WitnessStatus", replica_status_name(witness.status));
  writer.end_object();
  writer.end_array();
}

}  // namespace

std::string_view replica_status_name(storage::ReplicaStatus status) {
  switch (status) {
    case storage::ReplicaStatus::kCreating:
      return "CREATING";
    case storage::ReplicaStatus::kUpdating:
      return "UPDATING";
    case storage::ReplicaStatus::kDeleting:
      return "DELETING";
    case storage::ReplicaStatus::kCreationFailed:
      return "CREATION_FAILED";
    case storage::ReplicaStatus::kActive:
      break;
  }
  return "ACTIVE";
}

void write_replicas(json::Writer& writer, const TableSchema& schema) {
  if (schema.global_table == nullptr) return;
  const storage::GlobalTable& global = *schema.global_table;
  writer.text("GlobalTableVersion", global.version);
  if (global.version != storage::kCurrentGlobalTables) return;
  writer.key("Replicas");
  writer.begin_array();
  for (const storage::Replica& replica : global.replicas) {
    writer.begin_object();
    writer.text("RegionName", replica.region);
    writer.text("ReplicaStatus", replica_status_name(replica.status));
    if (replica.status == storage::ReplicaStatus::kCreationFailed) {
      writer.text("ReplicaStatusDescription", messages::kReplicaNotMade);
    }
    write_replica_settings(writer, schema, replica);
    writer.text(kReplicationMode, kWithOverrides);
    writer.end_object();
  }
  writer.end_array();
  if (global.is_strong) {
    writer.text("MultiRegionConsistency", "STRONG");
  } else {
    writer.key("DisassociationProtectionEnabled");
    writer.boolean(!global.may_leave);
  }
  if (global.witness) write_witness(writer, *global.witness);
  writer.text(kReplicationMode, kWithOverrides);
}

}  // namespace magneto::api
