#include "api/error.h"
#include "api/json/table_description_json.h"
#include "api/operation_table.h"
#include "api/request/arn.h"
#include "api/request/table_changes.h"
#include "api/validation/table_checks.h"
#include "api/validation/table_shapes.h"

// AWS API reference, UpdateTable; captured facts, "UpdateTable / DeleteTable".
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {
    {"AttributeDefinitions", &kAttributeDefinitionsShape},
    kControlTableName,
    kBillingMode,
    kProvisionedThroughput,
    {"GlobalSecondaryIndexUpdates", &kIndexUpdatesShape},
    kStreamSpecification,
    kSseSpecification,
    kTableClass,
    kDeletionProtection,
    kOnDemandThroughput,
    kWarmThroughput,
};
constexpr Shape kInput = older_request(kMembers);

// Parameters of AWS's that ask for what Magneto does not have; ignoring them would be worse.
constexpr std::string_view kUnknownFeatures[] = {
    "ReplicaUpdates", "GlobalTableWitnessUpdates", "MultiRegionConsistency",
    "GlobalTableSettingsReplicationMode", "VectorIndexUpdates"};

void handle(Request& request) {
  refuse_parameters(request.input, kUnknownFeatures);
  const TableParameters parameters = read_table_parameters(request.input);
  check_update_table(parameters);
  const double now = request.database.clock().epoch_seconds();
  const storage::TablePtr current = find_table(request.database, parameters.table_name);
  if (!current) fail_table_not_found(table_name_of(parameters.table_name));
  const storage::TablePtr changed = request.database.update_table(
      current->schema.name,
      [&](storage::TableSchema& schema) { change_table(schema, parameters, now); });
  if (!changed) fail_table_not_found(current->schema.name);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableDescription");
  json::write_table_description(writer, *changed, now);
  writer.end_object();
}

}  // namespace

constinit const Operation kUpdateTable{"UpdateTable", kInput, &handle, true};

}  // namespace magneto::api
