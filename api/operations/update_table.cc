#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/table_lookup.h"
#include "api/tables/replica_requests.h"
#include "api/tables/replica_shapes.h"
#include "api/tables/replica_updates.h"
#include "api/tables/strong_tables.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_checks.h"
#include "api/tables/table_description_json.h"
#include "api/tables/table_shapes.h"
#include "api/tables/update_answer.h"
#include "api/tables/vector_indexes.h"

// AWS API reference, UpdateTable; captured facts, "UpdateTable / DeleteTable".
namespace magneto::api {

extern const Operation kUpdateTable;
namespace {

constexpr MemberShape kUpdateTableMembers[] = {
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
    {"ReplicaUpdates", &kReplicaUpdatesShape},
    {"GlobalTableWitnessUpdates", &kWitnessUpdatesShape},
    {"MultiRegionConsistency", &kConsistencyShape},
    {"GlobalTableSettingsReplicationMode", &kUnsupportedShape},
    {"DisassociationProtectionEnabled", &kBooleanShape},
    {"VectorIndexUpdates", &kVectorIndexUpdatesShape},
};
constexpr Shape kUpdateTableInput = older_request(kUpdateTableMembers);

void refuse_new_index_without_room(const TableParameters& parameters, storage::MemoryBudget& room) {
  if (!room.is_full()) return;
  for (const RequestedIndexUpdate& update : parameters.index_updates.elements) {
    if (update.create) throw ApiError(ErrorType::kLimitExceeded, room.refusal());
  }
}

void update_table(Request& request) {
  TableParameters parameters = read_table_parameters(request.input);
  read_replica_parameters(request.input, parameters);
  check_update_table(parameters);
  refuse_new_index_without_room(parameters, request.database.room());
  const double now = request.database.clock().epoch_seconds();
  const storage::TablePtr current = find_table(request, parameters.table_name);
  if (!current || is_restoring(current->schema)) {
    fail_table_not_found(table_name_of(parameters.table_name));
  }
  if (parameters.replica_updates) {
    check_replicas(current->schema, parameters);
    find_places(request, current->schema.name, parameters);
  }
  storage::TableSchema before;
  const storage::TablePtr changed =
      update_pinned(request, *current, [&](storage::TableSchema& schema) {
        before = schema;
        check_can_be_strong(*current, schema, parameters);
        change_table(schema, parameters, now);
      });
  if (!changed) fail_table_not_found(current->schema.name);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableDescription");
  write_changed_table(writer, *changed, shown_change(before, changed->schema, parameters, now),
                      now);
  writer.end_object();
}

constexpr std::string_view kUpdateTableOfStoreAlone[] = {"ReplicaUpdates", "VectorIndexUpdates"};

}  // namespace

constinit const Operation kUpdateTable{.name = "UpdateTable",
                                       .input = kUpdateTableInput,
                                       .handle = &update_table,
                                       .writes = true,
                                       .members_of_store_alone = kUpdateTableOfStoreAlone};

}  // namespace magneto::api
