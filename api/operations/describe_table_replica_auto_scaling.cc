#include "api/json/json_writer.h"
#include "api/operation_table.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/replica_json.h"
#include "api/tables/table_description_json.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/global_table.h"

// AWS API reference, DescribeTableReplicaAutoScaling: without settings, since nothing scales.
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {kControlTableName};
constexpr Shape kInput = older_request(kMembers);

void describe_table_replica_auto_scaling(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  const storage::TablePtr table = existing_table(request.database, name);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableAutoScalingDescription");
  writer.begin_object();
  writer.key("TableName");
  writer.string(table->schema.name);
  writer.key("TableStatus");
  writer.string(status_name(table->schema.status));
  writer.key("Replicas");
  writer.begin_array();
  if (table->schema.global_table != nullptr) {
    for (const storage::Replica& replica : table->schema.global_table->replicas) {
      writer.begin_object();
      writer.text("RegionName", replica.region);
      writer.text("ReplicaStatus", replica_status_name(replica.status));
      writer.end_object();
    }
  }
  writer.end_array();
  writer.end_object();
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeTableReplicaAutoScaling{
    .name = "DescribeTableReplicaAutoScaling",
    .input = kInput,
    .handle = &describe_table_replica_auto_scaling};

}  // namespace magneto::api
