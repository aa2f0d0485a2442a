#include <string_view>

#include "api/caller_databases.h"
#include "api/json/json_writer.h"
#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/tables/global_tables.h"
#include "api/tables/replica_json.h"
#include "api/tables/table_description_json.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/global_table.h"

// AWS API reference, DescribeGlobalTableSettings: version 2017.11.29.
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {{"GlobalTableName", &kResourceNameShape, Required::kYes}};
constexpr Shape kInput = older_request(kMembers);

void write_indexes(json::Writer& writer, const storage::TableSchema& schema) {
  bool is_open = false;
  for (const storage::IndexSchema& index : schema.indexes) {
    if (!index.has_own_throughput()) continue;
    if (!is_open) {
      writer.key("ReplicaGlobalSecondaryIndexSettings");
      writer.begin_array();
      is_open = true;
    }
    writer.begin_object();
    writer.text("IndexName", index.name);
    writer.text("IndexStatus", status_name(index.status));
    writer.integer("ProvisionedReadCapacityUnits", index.provisioned.read_units);
    writer.integer("ProvisionedWriteCapacityUnits", index.provisioned.write_units);
    writer.end_object();
  }
  if (is_open) writer.end_array();
}

void write_settings(json::Writer& writer, const storage::TableSchema& schema,
                    storage::ReplicaStatus status) {
  writer.begin_object();
  writer.text("RegionName", schema.region);
  writer.text("ReplicaStatus", replica_status_name(status));
  if (schema.pay_per_request_since) {
    const bool on_demand = schema.billing == storage::BillingMode::kPayPerRequest;
    writer.key("ReplicaBillingModeSummary");
    writer.begin_object();
    writer.text("BillingMode", on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
    writer.key("LastUpdateToPayPerRequestDateTime");
    writer.time(*schema.pay_per_request_since);
    writer.end_object();
  }
  writer.integer("ReplicaProvisionedReadCapacityUnits", schema.provisioned.read_units);
  writer.integer("ReplicaProvisionedWriteCapacityUnits", schema.provisioned.write_units);
  write_indexes(writer, schema);
  if (!schema.table_class.empty()) {
    writer.key("ReplicaTableClassSummary");
    writer.begin_object();
    writer.text("TableClass", schema.table_class);
    writer.end_object();
  }
  writer.end_object();
}

void describe_global_table_settings(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("GlobalTableName");
  const storage::TablePtr table = existing_global_table(request, name);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.text("GlobalTableName", table->schema.name);
  writer.key("ReplicaSettings");
  writer.begin_array();
  write_settings(writer, table->schema, storage::ReplicaStatus::kActive);
  for (const storage::Replica& replica : table->schema.global_table->replicas) {
    Caller there = request.caller;
    there.region = replica.region;
    const storage::TablePtr other = request.databases.find(there).find_table(name);
    if (other != nullptr) write_settings(writer, other->schema, replica.status);
  }
  writer.end_array();
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeGlobalTableSettings{.name = "DescribeGlobalTableSettings",
                                                       .input = kInput,
                                                       .handle = &describe_global_table_settings};

}  // namespace magneto::api
