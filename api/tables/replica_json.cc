#include "api/tables/replica_json.h"

#include <optional>

#include "api/messages/replica_messages.h"

namespace magneto::api {
namespace {

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

void write_settings(json::Writer& writer, const storage::ReplicaSettings& settings) {
  if (!settings.kms_key_arn.empty()) writer.text("KMSMasterKeyId", settings.kms_key_arn);
  write_overrides(writer, settings.read_units, settings.max_read_units);
  if (!settings.indexes.empty()) {
    writer.key("GlobalSecondaryIndexes");
    writer.begin_array();
    for (const storage::ReplicaIndex& index : settings.indexes) {
      writer.begin_object();
      writer.text("IndexName", index.name);
      write_overrides(writer, index.read_units, index.max_read_units);
      writer.end_object();
    }
    writer.end_array();
  }
  if (settings.table_class.empty()) return;
  writer.key("ReplicaTableClassSummary");
  writer.begin_object();
  writer.text("TableClass", settings.table_class);
  writer.end_object();
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

void write_replicas(json::Writer& writer, const storage::TableSchema& schema) {
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
    writer.text("ReplicaArn", storage::table_arn(replica.region, schema.account, schema.name));
    write_settings(writer, replica.settings);
    writer.end_object();
  }
  writer.end_array();
  writer.text("MultiRegionConsistency", "EVENTUAL");
  writer.text("GlobalTableSettingsReplicationMode", "ENABLED_WITH_OVERRIDES");
}

}  // namespace magneto::api
