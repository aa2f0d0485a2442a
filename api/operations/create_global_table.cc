#include <algorithm>
#include <string>
#include <vector>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/global_tables.h"
#include "api/tables/replica_requests.h"
#include "api/tables/table_changes.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/global_table.h"

// AWS API reference, CreateGlobalTable: version 2017.11.29.
namespace magneto::api {

extern const Operation kCreateGlobalTable;
namespace {

constexpr MemberShape kReplicaMembers[] = {{"RegionName", &kStringShape}};
constexpr Shape kReplicaShape = structure_shape("Replica", kReplicaMembers);
constexpr Shape kReplicasShape = list_shape(kReplicaShape);
constexpr MemberShape kCreateGlobalTableMembers[] = {
    {"GlobalTableName", &kResourceNameShape, Required::kYes},
    {"ReplicationGroup", &kReplicasShape, Required::kYes},
};
constexpr Shape kCreateGlobalTableInput = older_request(kCreateGlobalTableMembers);

std::vector<std::string_view> read_regions(json::Value list) {
  std::vector<std::string_view> regions;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const std::string_view region = Parameters(element).string_or_empty("RegionName");
    if (!is_region(region)) fail_validation(messages::not_a_region(region));
    if (std::ranges::find(regions, region) != regions.end()) {
      fail_validation(messages::repeated_region(region));
    }
    regions.push_back(region);
  }
  if (regions.size() > storage::kMaxReplicas) {
    throw ApiError(ErrorType::kLimitExceeded, messages::too_many_replicas(storage::kMaxReplicas));
  }
  return regions;
}

void create_global_table(Request& request) {
  const Parameters parameters(request.input);
  const std::string name(parameters.string_or_empty("GlobalTableName"));
  const std::string_view own = request.caller.home_region();
  const std::vector<std::string_view> regions = read_regions(parameters.value("ReplicationGroup"));
  if (std::ranges::find(regions, own) == regions.end()) {
    fail_validation(messages::own_region_missing(own));
  }
  const storage::TablePtr first = joining_table(request, own, name);
  std::vector<storage::Replica> replicas;
  for (const std::string_view region : regions) {
    if (region == own) continue;
    const storage::TablePtr table = joining_table(request, region, name);
    check_joining(*first, *table);
    replicas.push_back({.region = std::string(region),
                        .database = table->schema.database,
                        .queue_number = 0,
                        .status = storage::ReplicaStatus::kCreating,
                        .settings = {}});
  }
  if (first->statistics->item_count.load() != 0 && !replicas.empty()) {
    fail_validation(messages::table_not_empty(own));
  }
  const double now = request.database.clock().epoch_seconds();
  const storage::TablePtr made =
      request.database.update_table(name, [&](storage::TableSchema& schema) {
        require_settled(schema, false);
        if (schema.global_table != nullptr) {
          throw ApiError(ErrorType::kGlobalTableAlreadyExists, messages::global_table_exists(name));
        }
        storage::GlobalTable global;
        global.version = storage::kLegacyGlobalTables;
        global.created = now;
        storage::set_global(schema, std::move(global));
        for (const storage::Replica& replica : replicas) storage::add_replica(schema, replica);
      });
  if (made == nullptr) fail_backup_table_not_found(name);
  json::Writer writer(request.output);
  writer.begin_object();
  write_global_table(writer, *made);
  writer.end_object();
}

}  // namespace

constinit const Operation kCreateGlobalTable{.name = "CreateGlobalTable",
                                             .input = kCreateGlobalTableInput,
                                             .handle = &create_global_table,
                                             .writes = true,
                                             .resource = "GlobalTableName",
                                             .needs_store_alone = true};

}  // namespace magneto::api
