#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/messages/scaling_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/tables/auto_scaling.h"
#include "api/tables/replica_shapes.h"
#include "api/tables/scaling_json.h"
#include "api/tables/table_changes.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/global_table.h"

// AWS API reference, UpdateTableReplicaAutoScaling: version 2019.11.21. Write settings apply to all
// replicas, read settings to one.
namespace magneto::api {

extern const Operation kUpdateTableReplicaAutoScaling;
namespace {

constexpr MemberShape kUpdateTableReplicaAutoScalingIndexMembers[] = {
    kIndexName,
    {"ProvisionedWriteCapacityAutoScalingUpdate", &kScalingUpdateShape},
};
constexpr Shape kUpdateTableReplicaAutoScalingIndexShape = structure_shape(
    "GlobalSecondaryIndexAutoScalingUpdate", kUpdateTableReplicaAutoScalingIndexMembers);
constexpr Shape kUpdateTableReplicaAutoScalingIndexesShape =
    with_min(list_shape(kUpdateTableReplicaAutoScalingIndexShape), 1);
constexpr MemberShape kUpdateTableReplicaAutoScalingReplicaIndexMembers[] = {
    kIndexName,
    {"ProvisionedReadCapacityAutoScalingUpdate", &kScalingUpdateShape},
};
constexpr Shape kUpdateTableReplicaAutoScalingReplicaIndexShape =
    structure_shape("ReplicaGlobalSecondaryIndexAutoScalingUpdate",
                    kUpdateTableReplicaAutoScalingReplicaIndexMembers);
constexpr Shape kUpdateTableReplicaAutoScalingReplicaIndexesShape =
    list_shape(kUpdateTableReplicaAutoScalingReplicaIndexShape);
constexpr MemberShape kUpdateTableReplicaAutoScalingReplicaMembers[] = {
    kRequiredRegionName,
    {"ReplicaGlobalSecondaryIndexUpdates", &kUpdateTableReplicaAutoScalingReplicaIndexesShape},
    {"ReplicaProvisionedReadCapacityAutoScalingUpdate", &kScalingUpdateShape},
};
constexpr Shape kUpdateTableReplicaAutoScalingReplicaShape =
    structure_shape("ReplicaAutoScalingUpdate", kUpdateTableReplicaAutoScalingReplicaMembers);
constexpr Shape kUpdateTableReplicaAutoScalingReplicasShape =
    with_min(list_shape(kUpdateTableReplicaAutoScalingReplicaShape), 1);
constexpr MemberShape kUpdateTableReplicaAutoScalingMembers[] = {
    {"GlobalSecondaryIndexUpdates", &kUpdateTableReplicaAutoScalingIndexesShape},
    kControlTableName,
    {"ProvisionedWriteCapacityAutoScalingUpdate", &kScalingUpdateShape},
    {"ReplicaUpdates", &kUpdateTableReplicaAutoScalingReplicasShape},
};
constexpr Shape kUpdateTableReplicaAutoScalingInput =
    older_request(kUpdateTableReplicaAutoScalingMembers);

struct Updates {
  std::vector<RequestedScaling> of_all;
  std::map<std::string, std::vector<RequestedScaling>, std::less<>> by_region;

  std::vector<RequestedScaling> of(std::string_view region) const {
    std::vector<RequestedScaling> updates = of_all;
    const auto found = by_region.find(region);
    if (found != by_region.end()) {
      updates.insert(updates.end(), found->second.begin(), found->second.end());
    }
    return updates;
  }
};

void read_scaled_indexes(json::Value list, std::string_view member, bool of_reads,
                         std::vector<RequestedScaling>& updates) {
  std::set<std::string_view> names;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    const std::string_view index = members.string_or_empty("IndexName");
    if (index.empty()) fail_validation(messages::kScalingIndexName);
    if (!names.insert(index).second) fail_validation(messages::repeated_index(index));
    read_scaling(members, member, index, of_reads, updates);
  }
}

Updates read_scaling_updates(const Parameters& parameters, std::string_view table) {
  Updates updates;
  read_scaling(parameters, "ProvisionedWriteCapacityAutoScalingUpdate", {}, false, updates.of_all);
  read_scaled_indexes(parameters.value("GlobalSecondaryIndexUpdates"),
                      "ProvisionedWriteCapacityAutoScalingUpdate", false, updates.of_all);
  for (const json::Value element : parameters.value("ReplicaUpdates").array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    const std::string region(members.string_or_empty("RegionName"));
    const auto [place, is_new] = updates.by_region.try_emplace(region);
    if (!is_new) fail_validation(messages::repeated_replicas(table, region));
    read_scaling(members, "ReplicaProvisionedReadCapacityAutoScalingUpdate", {}, true,
                 place->second);
    read_scaled_indexes(members.value("ReplicaGlobalSecondaryIndexUpdates"),
                        "ProvisionedReadCapacityAutoScalingUpdate", true, place->second);
    if (place->second.empty()) fail_validation(messages::no_scaling_of_region(table, region));
  }
  if (updates.of_all.empty() && updates.by_region.empty()) {
    fail_validation(messages::no_scaling(table));
  }
  return updates;
}

// Each update is complete and replaces the previous settings (captured from AWS, October 2026).
void check_forms(std::string_view table, const Updates& updates) {
  check_left_blank(table, updates.of_all);
  check_whole(table, updates.of_all);
  for (const auto& [region, of_region] : updates.by_region) {
    check_left_blank(table, of_region);
    check_whole(table, of_region);
  }
}

void require_scaled_indexes(const storage::TableSchema& schema,
                            const std::vector<RequestedScaling>& updates) {
  for (const RequestedScaling& update : updates) {
    if (update.index.empty()) continue;
    const storage::IndexSchema* found = schema.find_index(update.index);
    if (found == nullptr || !found->has_own_throughput()) {
      fail_index_not_found(update.index, schema.name);
    }
  }
}

void check_updates(const storage::TableSchema& schema, const Updates& updates) {
  require_settled(schema, false);
  for (const auto& [region, of_region] : updates.by_region) {
    if (region != schema.region && schema.global_table->find(region) == nullptr) {
      throw ApiError(ErrorType::kResourceNotFound, messages::replica_unknown(region, schema.name));
    }
    require_scaled_indexes(schema, of_region);
  }
  require_scaled_indexes(schema, updates.of_all);
}

void update_table_replica_auto_scaling(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view name = parameters.string_or_empty("TableName");
  const storage::TablePtr table = scaled_table(request, name);
  const Updates updates = read_scaling_updates(parameters, table->schema.name);
  check_forms(table->schema.name, updates);
  check_updates(table->schema, updates);
  std::vector<std::string> regions = {table->schema.region};
  for (const storage::Replica& replica : table->schema.global_table->replicas) {
    regions.push_back(replica.region);
  }
  // All replicas change or none, unless another request changes one in between.
  for (const std::string& region : regions) {
    const storage::TablePtr there = table_in(request, region, table->schema.name);
    if (there == nullptr) continue;
    storage::TableSchema trial = there->schema;
    change_scaling(trial, updates.of(region));
  }
  // The answer shows the settings before the change (captured from AWS, October 2026).
  write_replica_scaling(request, *table);
  for (const std::string& region : regions) {
    Caller there = request.caller;
    there.region = region;
    request.databases.find(there).update_table(table->schema.name,
                                               [&](storage::TableSchema& schema) {
                                                 if (schema.global_table != nullptr)
                                                   change_scaling(schema, updates.of(region));
                                               });
  }
}

}  // namespace

constinit const Operation kUpdateTableReplicaAutoScaling{
    .name = "UpdateTableReplicaAutoScaling",
    .input = kUpdateTableReplicaAutoScalingInput,
    .handle = &update_table_replica_auto_scaling,
    .writes = true,
    .needs_store_alone = true};

}  // namespace magneto::api
