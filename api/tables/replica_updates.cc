#include "api/tables/replica_updates.h"

#include <algorithm>
#include <set>
#include <string>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/messages/resource_messages.h"
#include "api/request/parameters.h"

namespace magneto::api {
namespace {

using storage::Replica;
using storage::ReplicaStatus;
using storage::TableSchema;
using Action = RequestedReplica::Action;

constexpr std::size_t kLongestRegion = 32;
constexpr std::string_view kImages = "NEW_AND_OLD_IMAGES";

std::optional<std::int64_t> units_in(const Parameters& members, std::string_view structure,
                                     std::string_view name) {
  const json::Value value = members.value(structure);
  return value ? Parameters(value).integer(name) : std::nullopt;
}

storage::ReplicaSettings read_settings(const Parameters& members) {
  storage::ReplicaSettings settings;
  settings.kms_key_arn = members.string_or_empty("KMSMasterKeyId");
  settings.read_units = units_in(members, "ProvisionedThroughputOverride", "ReadCapacityUnits");
  settings.max_read_units = units_in(members, "OnDemandThroughputOverride", "MaxReadRequestUnits");
  settings.table_class = members.string_or_empty("TableClassOverride");
  const json::Value indexes = members.value("GlobalSecondaryIndexes");
  if (!indexes) return settings;
  for (const json::Value element : indexes.array()) {
    if (element.is_null()) continue;
    const Parameters index(element);
    settings.indexes.push_back(
        {std::string(index.string_or_empty("IndexName")),
         units_in(index, "ProvisionedThroughputOverride", "ReadCapacityUnits"),
         units_in(index, "OnDemandThroughputOverride", "MaxReadRequestUnits")});
  }
  return settings;
}

// The ARN of a KMS key given as an ARN, an alias or an id.
std::string key_arn_in(std::string_view key_id, std::string_view region, std::string_view account) {
  if (key_id.empty() || key_id.starts_with("arn:")) return std::string(key_id);
  const std::string prefix = "arn:aws:kms:" + std::string(region) + ":" + std::string(account);
  const std::string_view kind = key_id.starts_with("alias/") ? ":" : ":key/";
  return prefix + std::string(kind) + std::string(key_id);
}

void require_indexes(const TableSchema& schema, const storage::ReplicaSettings& settings) {
  for (const storage::ReplicaIndex& index : settings.indexes) {
    const storage::IndexSchema* found = schema.find_index(index.name);
    if (found != nullptr && found->has_own_throughput()) continue;
    throw ApiError(ErrorType::kResourceNotFound,
                   messages::index_of_table_not_found(index.name, schema.name));
  }
}

void require_stream(TableSchema& schema) {
  if (!schema.stream.enabled) {
    schema.stream = {true, std::string(kImages), ""};
    schema.stream_policy.reset();
  } else if (schema.stream.view_type != kImages) {
    fail_validation(messages::kReplicaStream);
  }
}

void create_replica(TableSchema& schema, const RequestedReplica& update, double now) {
  const storage::GlobalTable before = storage::copy_of_global(schema);
  if (before.version == storage::kLegacyGlobalTables) fail_validation(messages::kLegacyTable);
  if (update.region == schema.region || before.find(update.region) != nullptr) {
    fail_validation(messages::replica_exists_as_table(schema.name));
  }
  if (before.replicas.size() + 1 >= storage::kMaxReplicas) {
    throw ApiError(ErrorType::kLimitExceeded, messages::too_many_replicas(storage::kMaxReplicas));
  }
  require_indexes(schema, update.settings);
  require_stream(schema);
  Replica replica{.region = update.region,
                  .database = update.database,
                  .queue_number = 0,
                  .status = ReplicaStatus::kCreating,
                  .settings = update.settings};
  replica.settings.kms_key_arn =
      key_arn_in(update.settings.kms_key_arn, update.region, schema.account);
  storage::add_replica(schema, std::move(replica));
  if (before.created != 0) return;
  storage::GlobalTable global = storage::copy_of_global(schema);
  global.created = now;
  storage::set_global(schema, std::move(global));
}

void merge_settings(const storage::ReplicaSettings& wanted, storage::ReplicaSettings& settings) {
  if (!wanted.kms_key_arn.empty()) settings.kms_key_arn = wanted.kms_key_arn;
  if (wanted.read_units) settings.read_units = wanted.read_units;
  if (wanted.max_read_units) settings.max_read_units = wanted.max_read_units;
  if (!wanted.table_class.empty()) settings.table_class = wanted.table_class;
  for (const storage::ReplicaIndex& index : wanted.indexes) {
    const auto found =
        std::ranges::find(settings.indexes, index.name, &storage::ReplicaIndex::name);
    if (found == settings.indexes.end()) {
      settings.indexes.push_back(index);
      continue;
    }
    if (index.read_units) found->read_units = index.read_units;
    if (index.max_read_units) found->max_read_units = index.max_read_units;
  }
}

void update_replica(TableSchema& schema, const RequestedReplica& update) {
  require_indexes(schema, update.settings);
  storage::GlobalTable global = storage::copy_of_global(schema);
  Replica* replica = global.find(update.region);
  if (replica == nullptr) fail_validation(messages::replica_unknown(update.region, schema.name));
  storage::ReplicaSettings wanted = update.settings;
  wanted.kms_key_arn = key_arn_in(wanted.kms_key_arn, update.region, schema.account);
  merge_settings(wanted, replica->settings);
  storage::set_global(schema, std::move(global));
}

void delete_replica(TableSchema& schema, const RequestedReplica& update) {
  if (update.region == schema.region) fail_validation(messages::kOwnRegion);
  if (storage::copy_of_global(schema).find(update.region) == nullptr) {
    fail_validation(messages::replica_unknown(update.region, schema.name));
  }
  storage::set_replica_status(schema, update.region, ReplicaStatus::kDeleting);
}

}  // namespace

std::vector<RequestedReplica> read_replica_updates(json::Value list) {
  std::vector<RequestedReplica> updates;
  for (const json::Value element : list.array()) {
    if (element.is_null()) continue;
    const Parameters members(element);
    RequestedReplica update;
    for (const auto& [name, action] :
         {std::pair{"Create", Action::kCreate}, std::pair{"Update", Action::kUpdate},
          std::pair{"Delete", Action::kDelete}}) {
      const json::Value value = members.value(name);
      if (!value) continue;
      ++update.actions;
      update.action = action;
      update.region = Parameters(value).string_or_empty("RegionName");
      update.settings = read_settings(Parameters(value));
    }
    updates.push_back(std::move(update));
  }
  return updates;
}

void check_replica_updates(const TableParameters& request) {
  if (request.consistency == "STRONG") fail_validation(messages::kStrongConsistency);
  const bool creates =
      request.replica_updates &&
      std::ranges::any_of(*request.replica_updates, [](const RequestedReplica& update) {
        return update.action == Action::kCreate;
      });
  if (!request.consistency.empty() && !creates) fail_validation(messages::kConsistencyAlone);
  if (!request.replica_updates) return;
  if (request.replica_updates->empty()) fail_validation(messages::kNoReplicaUpdates);
  std::set<std::string_view> regions;
  for (const RequestedReplica& update : *request.replica_updates) {
    if (update.actions != 1) fail_validation(messages::kOneReplicaAction);
    if (!is_region(update.region)) fail_validation(messages::not_a_region(update.region));
    if (!regions.insert(update.region).second) {
      fail_validation(messages::repeated_region(update.region));
    }
  }
}

bool is_region(std::string_view region) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_allowed = [&](char c) {
    return is_letter(c) || c == '-' || (c >= '0' && c <= '9');
  };
  return region.size() >= 2 && region.size() <= kLongestRegion && is_letter(region.front()) &&
         region.back() != '-' && std::ranges::all_of(region, is_allowed);
}

storage::Database& database_in(Request& request, std::string_view region) {
  if (!request.databases.keeps_regions_apart() ||
      request.caller.profile == Profile::kDynamoDbLocal) {
    fail_validation(messages::kNoOtherRegions);
  }
  Caller there = request.caller;
  there.region = region;
  return request.databases.make(there);
}

void find_places(Request& request, std::string_view table, std::vector<RequestedReplica>& updates) {
  for (RequestedReplica& update : updates) {
    Caller there = request.caller;
    there.region = update.region;
    if (update.action == Action::kCreate) {
      storage::Database& database = database_in(request, update.region);
      update.database = database.number();
      if (database.find_table(table) == nullptr) continue;
      fail_validation(messages::replica_exists_as_table(table));
    }
    if (update.action != Action::kDelete) continue;
    const storage::TablePtr replica = request.databases.find(there).find_table(table);
    if (update.region != request.caller.region && replica != nullptr &&
        replica->schema.deletion_protection) {
      fail_validation(messages::replica_protected(update.region));
    }
  }
}

void change_replicas(TableSchema& schema, const std::vector<RequestedReplica>& updates,
                     double now) {
  for (const RequestedReplica& update : updates) {
    if (update.action == Action::kCreate) create_replica(schema, update, now);
    if (update.action == Action::kUpdate) update_replica(schema, update);
    if (update.action == Action::kDelete) delete_replica(schema, update);
  }
  schema.status = storage::ResourceStatus::kUpdating;
}

bool is_changing_replicas(const TableSchema& schema) {
  if (schema.global_table == nullptr) return false;
  return std::ranges::any_of(schema.global_table->replicas, [](const Replica& replica) {
    return replica.status != ReplicaStatus::kActive &&
           replica.status != ReplicaStatus::kCreationFailed;
  });
}

}  // namespace magneto::api
