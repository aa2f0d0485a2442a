#include "api/tables/scaling_json.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/scaling_messages.h"
#include "api/request/arn.h"
#include "api/tables/auto_scaling.h"
#include "api/tables/replica_json.h"
#include "api/tables/table_description_json.h"
#include "storage/model/global_table.h"

namespace magneto::api {
namespace {

using storage::CapacityScaling;
using storage::TableSchema;

const CapacityScaling& scaling_of(const TableSchema& schema, std::string_view index) {
  static const CapacityScaling kNone;
  const CapacityScaling* found = storage::find_scaling(schema.global_table->scaling, index);
  return found == nullptr ? kNone : *found;
}

// Writes a list with the indexes that have their own throughput. `write` writes the other members.
template <typename Write>
void write_scaled_indexes(json::Writer& writer, std::string_view list, const TableSchema& schema,
                          Write write) {
  bool is_open = false;
  for (const storage::IndexSchema& index : schema.indexes) {
    if (!index.has_own_throughput()) continue;
    if (!is_open) {
      writer.key(list);
      writer.begin_array();
      is_open = true;
    }
    writer.begin_object();
    writer.text("IndexName", index.name);
    writer.text("IndexStatus", status_name(index.status));
    write(index, scaling_of(schema, index.name));
    writer.end_object();
  }
  if (is_open) writer.end_array();
}

// Writes the settings of a region's table. `there` is nullptr if that table does not exist yet, or
// any more. Then the indexes are those of `asked`, the table in the request.
void write_scaling_of_replica(json::Writer& writer, const storage::Replica& replica,
                              const TableSchema* there, const TableSchema& asked) {
  const bool is_known = there != nullptr && there->global_table != nullptr;
  static const CapacityScaling kNone;
  const auto scaling = [&](std::string_view index) -> const CapacityScaling& {
    return is_known ? scaling_of(*there, index) : kNone;
  };
  writer.begin_object();
  writer.text("RegionName", replica.region);
  writer.text("ReplicaStatus", replica_status_name(replica.status));
  const CapacityScaling& of_table = scaling({});
  write_scaling_in_effect(writer, "ReplicaProvisionedReadCapacityAutoScalingSettings",
                          of_table.reads);
  write_scaling_in_effect(writer, "ReplicaProvisionedWriteCapacityAutoScalingSettings",
                          of_table.writes);
  writer.key("GlobalSecondaryIndexes");
  writer.begin_array();
  for (const storage::IndexSchema& index : (is_known ? *there : asked).indexes) {
    if (!index.has_own_throughput()) continue;
    const CapacityScaling& of_index = scaling(index.name);
    writer.begin_object();
    writer.text("IndexName", index.name);
    writer.text("IndexStatus", status_name(index.status));
    write_scaling_in_effect(writer, "ProvisionedReadCapacityAutoScalingSettings", of_index.reads);
    write_scaling_in_effect(writer, "ProvisionedWriteCapacityAutoScalingSettings", of_index.writes);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
}

void write_scaled_billing(json::Writer& writer, const TableSchema& schema) {
  if (!schema.pay_per_request_since) return;
  const bool on_demand = schema.billing == storage::BillingMode::kPayPerRequest;
  writer.key("ReplicaBillingModeSummary");
  writer.begin_object();
  writer.text("BillingMode", on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  writer.key("LastUpdateToPayPerRequestDateTime");
  writer.time(*schema.pay_per_request_since);
  writer.end_object();
}

void write_scaled_class(json::Writer& writer, const TableSchema& schema) {
  if (schema.table_class.empty()) return;
  writer.key("ReplicaTableClassSummary");
  writer.begin_object();
  writer.text("TableClass", schema.table_class);
  if (schema.table_class_changed) {
    writer.key("LastUpdateDateTime");
    writer.time(*schema.table_class_changed);
  }
  writer.end_object();
}

// Scaling that was never set is shown as disabled if the table has provisioned units (AWS CLI
// command reference, "describe-global-table-settings").
void write_set_scaling(json::Writer& writer, std::string_view member, const TableSchema& schema,
                       const std::optional<storage::AutoScaling>& scaling) {
  std::optional<storage::AutoScaling> shown = scaling;
  if (!shown && schema.billing == storage::BillingMode::kProvisioned) {
    shown.emplace().is_disabled = true;
  }
  write_scaling(writer, member, shown);
}

void write_settings_of_replica(json::Writer& writer, const TableSchema& schema,
                               storage::ReplicaStatus status) {
  writer.begin_object();
  writer.text("RegionName", schema.region);
  writer.text("ReplicaStatus", replica_status_name(status));
  write_scaled_billing(writer, schema);
  writer.integer("ReplicaProvisionedReadCapacityUnits", schema.provisioned.read_units);
  writer.integer("ReplicaProvisionedWriteCapacityUnits", schema.provisioned.write_units);
  if (schema.global_table != nullptr) {
    const CapacityScaling& scaling = scaling_of(schema, {});
    write_set_scaling(writer, "ReplicaProvisionedReadCapacityAutoScalingSettings", schema,
                      scaling.reads);
    write_set_scaling(writer, "ReplicaProvisionedWriteCapacityAutoScalingSettings", schema,
                      scaling.writes);
    write_scaled_indexes(
        writer, "ReplicaGlobalSecondaryIndexSettings", schema,
        [&](const storage::IndexSchema& index, const CapacityScaling& of_index) {
          writer.integer("ProvisionedReadCapacityUnits", index.provisioned.read_units);
          writer.integer("ProvisionedWriteCapacityUnits", index.provisioned.write_units);
          write_set_scaling(writer, "ProvisionedReadCapacityAutoScalingSettings", schema,
                            of_index.reads);
          write_set_scaling(writer, "ProvisionedWriteCapacityAutoScalingSettings", schema,
                            of_index.writes);
        });
  }
  write_scaled_class(writer, schema);
  writer.end_object();
}

}  // namespace

storage::TablePtr table_in(const Request& request, std::string_view region, std::string_view name) {
  Caller there = request.caller;
  there.region = region;
  return request.databases.find(there).find_table(name);
}

storage::TablePtr scaled_table(const Request& request, std::string_view name_or_arn) {
  storage::TablePtr table = find_table(request, name_or_arn);
  if (table != nullptr && table->schema.global_table != nullptr &&
      table->schema.global_table->version == storage::kCurrentGlobalTables) {
    return table;
  }
  const std::string name(table_name_of(name_or_arn));
  const std::string message = messages::no_global_table(name);
  if (table == nullptr) throw MissingTable(message, name);
  throw ApiError(ErrorType::kResourceNotFound, message);
}

void write_replica_scaling(Request& request, const storage::Table& table) {
  const TableSchema& schema = table.schema;
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableAutoScalingDescription");
  writer.begin_object();
  writer.text("TableName", schema.name);
  writer.text("TableStatus", status_name(schema.status));
  writer.key("Replicas");
  writer.begin_array();
  std::vector<storage::Replica> replicas = schema.global_table->replicas;
  storage::Replica asked;
  asked.region = schema.region;
  asked.status = storage::ReplicaStatus::kActive;
  replicas.push_back(std::move(asked));
  std::ranges::sort(replicas, {}, &storage::Replica::region);
  for (const storage::Replica& replica : replicas) {
    const bool is_own = replica.region == schema.region;
    const storage::TablePtr other =
        is_own ? nullptr : table_in(request, replica.region, schema.name);
    const TableSchema* there = is_own ? &schema : other == nullptr ? nullptr : &other->schema;
    write_scaling_of_replica(writer, replica, there, schema);
  }
  writer.end_array();
  writer.end_object();
  writer.end_object();
}

void write_global_settings(Request& request, const storage::Table& table) {
  const TableSchema& schema = table.schema;
  json::Writer writer(request.output);
  writer.begin_object();
  writer.text("GlobalTableName", schema.name);
  writer.key("ReplicaSettings");
  writer.begin_array();
  write_settings_of_replica(writer, schema, storage::ReplicaStatus::kActive);
  for (const storage::Replica& replica : schema.global_table->replicas) {
    const storage::TablePtr other = table_in(request, replica.region, schema.name);
    if (other != nullptr) write_settings_of_replica(writer, other->schema, replica.status);
  }
  writer.end_array();
  writer.end_object();
}

}  // namespace magneto::api
