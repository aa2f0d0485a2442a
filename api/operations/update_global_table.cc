#include <set>
#include <string>
#include <vector>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/global_tables.h"
#include "api/tables/replica_requests.h"
#include "api/tables/table_changes.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/global_table.h"

// AWS API reference, UpdateGlobalTable: version 2017.11.29.
namespace magneto::api {

extern const Operation kUpdateGlobalTable;
namespace {

constexpr MemberShape kActionMembers[] = {{"RegionName", &kStringShape, Required::kYes}};
constexpr Shape kCreateShape = structure_shape("CreateReplicaAction", kActionMembers);
constexpr Shape kUpdateGlobalTableDeleteShape =
    structure_shape("DeleteReplicaAction", kActionMembers);
constexpr MemberShape kUpdateGlobalTableUpdateMembers[] = {
    {"Create", &kCreateShape}, {"Delete", &kUpdateGlobalTableDeleteShape}};
constexpr Shape kUpdateGlobalTableUpdateShape =
    structure_shape("ReplicaUpdate", kUpdateGlobalTableUpdateMembers);
constexpr Shape kUpdatesShape = list_shape(kUpdateGlobalTableUpdateShape);
constexpr MemberShape kUpdateGlobalTableMembers[] = {
    {"GlobalTableName", &kResourceNameShape, Required::kYes},
    {"ReplicaUpdates", &kUpdatesShape, Required::kYes},
};
constexpr Shape kUpdateGlobalTableInput = older_request(kUpdateGlobalTableMembers);

struct Update {
  std::string region;
  bool creates;
  std::uint32_t database = 0;
};

std::vector<Update> read_updates(json::Value list) {
  std::vector<Update> updates;
  std::set<std::string_view> regions;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    if (members.has("Create") == members.has("Delete")) {
      fail_validation(messages::kOneReplicaAction);
    }
    const bool creates = members.has("Create");
    const std::string_view region =
        Parameters(members.value(creates ? "Create" : "Delete")).string_or_empty("RegionName");
    if (!is_region(region)) fail_validation(messages::not_a_region(region));
    if (!regions.insert(region).second) fail_validation(messages::repeated_region(region));
    updates.push_back({std::string(region), creates});
  }
  if (updates.empty()) fail_validation(messages::kNoReplicaUpdates);
  return updates;
}

bool has_region(const storage::TableSchema& schema, std::string_view region) {
  return schema.region == region || storage::copy_of_global(schema).find(region) != nullptr;
}

void check_update(Request& request, const storage::Table& table, Update& update) {
  const std::string& name = table.schema.name;
  const bool is_there = has_region(table.schema, update.region);
  if (!update.creates && !is_there) {
    throw ApiError(ErrorType::kReplicaNotFound, messages::replica_not_found(update.region, name));
  }
  if (!update.creates && update.region == table.schema.region) {
    fail_validation(messages::kOwnRegionOfGlobalTable);
  }
  if (!update.creates) return;
  if (is_there) {
    throw ApiError(ErrorType::kReplicaAlreadyExists,
                   messages::replica_already_exists(update.region, name));
  }
  const storage::TablePtr joining = joining_table(request, update.region, name);
  check_joining(table, *joining);
  update.database = joining->schema.database;
}

void apply_replica_update(storage::TableSchema& schema, const Update& update) {
  if (!update.creates) {
    storage::set_replica_status(schema, update.region, storage::ReplicaStatus::kDeleting);
    return;
  }
  if (storage::copy_of_global(schema).replicas.size() + 1 >= storage::kMaxReplicas) {
    throw ApiError(ErrorType::kLimitExceeded, messages::too_many_replicas(storage::kMaxReplicas));
  }
  storage::add_replica(schema, {.region = update.region,
                                .database = update.database,
                                .queue_number = 0,
                                .status = storage::ReplicaStatus::kCreating,
                                .settings = {}});
}

void update_global_table(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view name = parameters.string_or_empty("GlobalTableName");
  std::vector<Update> updates = read_updates(parameters.value("ReplicaUpdates"));
  const storage::TablePtr table = existing_global_table(request, name);
  for (Update& update : updates) check_update(request, *table, update);
  const storage::TablePtr changed =
      request.database.update_table(name, [&](storage::TableSchema& schema) {
        require_settled(schema, false);
        for (const Update& update : updates) apply_replica_update(schema, update);
      });
  if (changed == nullptr || !is_legacy_global_table(*changed)) {
    throw ApiError(ErrorType::kGlobalTableNotFound, messages::global_table_not_found(name));
  }
  json::Writer writer(request.output);
  writer.begin_object();
  write_global_table(writer, *changed);
  writer.end_object();
}

}  // namespace

constinit const Operation kUpdateGlobalTable{.name = "UpdateGlobalTable",
                                             .input = kUpdateGlobalTableInput,
                                             .handle = &update_global_table,
                                             .writes = true,
                                             .resource = "GlobalTableName",
                                             .needs_store_alone = true};

}  // namespace magneto::api
