#include "api/tables/replica_updates.h"

#include <algorithm>
#include <string>
#include <vector>

#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/messages/resource_messages.h"
#include "api/tables/replica_requests.h"
#include "api/tables/strong_tables.h"
#include "api/tables/table_changes.h"

namespace magneto::api {
namespace {

using storage::IndexSchema;
using storage::Replica;
using storage::ReplicaStatus;
using storage::TableSchema;
using Action = ReplicaAction;
using Units = std::optional<std::int64_t>;

constexpr std::string_view kImages = "NEW_AND_OLD_IMAGES";

void require_indexes(const TableSchema& schema, const storage::ReplicaSettings& settings) {
  for (const storage::ReplicaIndex& index : settings.indexes) {
    const IndexSchema* found = schema.find_index(index.name);
    if (found != nullptr && found->has_own_throughput()) continue;
    throw ApiError(ErrorType::kResourceNotFound,
                   messages::index_of_table_not_found(index.name, schema.name));
  }
}

// A requested setting that equals the common one is not a setting of the replica any more. An index
// that does not exist has no settings (both captured from AWS, October 2026).
void forget_inherited(const TableSchema& schema, storage::ReplicaSettings& settings) {
  const storage::ReplicaSettings own = storage::copy_of_global(schema).own;
  const auto forget = [](const auto& given, bool is_common, auto& value) {
    if (value && is_common && value == given) value.reset();
  };
  forget(Units(schema.provisioned.read_units), !own.read_units, settings.read_units);
  forget(schema.on_demand.max_read_units, !own.max_read_units, settings.max_read_units);
  for (storage::ReplicaIndex& index : settings.indexes) {
    const IndexSchema* found = schema.find_index(index.name);
    if (found == nullptr || !found->has_own_throughput()) {
      index = {index.name, std::nullopt, std::nullopt};
      continue;
    }
    const storage::ReplicaIndex* other = own.find_index(index.name);
    forget(Units(found->provisioned.read_units), other == nullptr || !other->read_units,
           index.read_units);
    forget(found->on_demand.max_read_units, other == nullptr || !other->max_read_units,
           index.max_read_units);
  }
  std::erase_if(settings.indexes, [](const storage::ReplicaIndex& index) {
    return !index.read_units && !index.max_read_units;
  });
}

void require_stream(TableSchema& schema) {
  if (schema.stream.enabled) return;
  schema.stream = {true, std::string(kImages), ""};
  schema.stream_policy.reset();
}

// -1 removes the replica's own maximum.
void merge_maximum(const Units& wanted, Units& maximum) {
  if (wanted) maximum = *wanted == -1 ? std::nullopt : wanted;
}

void merge_settings(const storage::ReplicaSettings& wanted, storage::ReplicaSettings& settings) {
  if (!wanted.kms_key_arn.empty()) settings.kms_key_arn = wanted.kms_key_arn;
  if (wanted.read_units) settings.read_units = wanted.read_units;
  merge_maximum(wanted.max_read_units, settings.max_read_units);
  if (!wanted.table_class.empty()) settings.table_class = wanted.table_class;
  for (const storage::ReplicaIndex& index : wanted.indexes) {
    auto found = std::ranges::find(settings.indexes, index.name, &storage::ReplicaIndex::name);
    if (found == settings.indexes.end()) {
      found = settings.indexes.insert(found, {index.name, std::nullopt, std::nullopt});
    }
    if (index.read_units) found->read_units = index.read_units;
    merge_maximum(index.max_read_units, found->max_read_units);
  }
}

// The requested settings, with the full ARN of the key.
storage::ReplicaSettings settings_of(const RequestedReplica& update, const TableSchema& schema) {
  storage::ReplicaSettings settings = update.settings;
  std::string& key = settings.kms_key_arn;
  if (!key.empty()) key = key_arn(key, update.region, schema.account);
  return settings;
}

void create_replica(TableSchema& schema, const RequestedReplica& update, double now) {
  const storage::GlobalTable before = storage::copy_of_global(schema);
  if (before.find(update.region) != nullptr) return;  // the request has the region twice
  if (before.replicas.size() + 1 >= storage::kMaxReplicas) {
    throw ApiError(ErrorType::kLimitExceeded, messages::too_many_replicas(storage::kMaxReplicas));
  }
  // A write to a STRONG table is made in all regions at once, without a stream.
  if (!before.is_strong) require_stream(schema);
  Replica replica{.region = update.region,
                  .database = update.database,
                  .queue_number = 0,
                  .status = ReplicaStatus::kCreating,
                  .settings = {}};
  merge_settings(settings_of(update, schema), replica.settings);
  forget_inherited(schema, replica.settings);
  storage::add_replica(schema, std::move(replica));
  if (before.created != 0) return;
  storage::GlobalTable global = storage::copy_of_global(schema);
  global.created = now;
  storage::set_global(schema, std::move(global));
}

void update_replica(TableSchema& schema, const RequestedReplica& update) {
  require_indexes(schema, update.settings);
  storage::GlobalTable global = storage::copy_of_global(schema);
  Replica* replica = global.find(update.region);
  merge_settings(settings_of(update, schema), replica->settings);
  forget_inherited(schema, replica->settings);
  storage::set_global(schema, std::move(global));
}

void remove_witness(TableSchema& schema) {
  storage::GlobalTable global = storage::copy_of_global(schema);
  if (global.witness) global.witness->status = ReplicaStatus::kDeleting;
  storage::set_global(schema, std::move(global));
}

// All replicas have the same kind of key: DynamoDB's default, the AWS managed key, or a customer
// managed key. A table with a customer managed key needs one for each new replica, and no update
// changes it (captured from AWS, October 2026).
void check_key(const storage::ServerSideEncryption& encryption, const RequestedReplica& update) {
  const std::string_view key = update.settings.kms_key_arn;
  if (update.action == Action::kUpdate && !key.empty()) fail_validation(messages::kReplicaKey);
  if (update.action != Action::kCreate) return;
  const bool is_of_customer = encryption.enabled && !is_key_of_aws(encryption.key_arn);
  if (key.empty() ? is_of_customer : !encryption.enabled) fail_validation(messages::kReplicaKey);
  if (!key.empty() && is_key_of_aws(key) == is_of_customer) {
    fail_validation(messages::kReplicaKeyKinds);
  }
}

// Checks an Update; a Create may give both (captured from AWS, October 2026).
void check_billing(const TableSchema& schema, const RequestedReplica& update) {
  if (update.action != Action::kUpdate) return;
  const bool is_on_demand = schema.billing == storage::BillingMode::kPayPerRequest;
  if (is_on_demand && update.settings.read_units) {
    fail_validation(messages::kReplicaUnitsOnDemand);
  }
  if (!is_on_demand && update.settings.max_read_units) {
    fail_validation(messages::kReplicaMaximumOfUnits);
  }
}

void require_own_life(const TableSchema& schema) {
  const storage::GlobalTable global = storage::copy_of_global(schema);
  if (global.version == storage::kCurrentGlobalTables && !global.is_strong) return;
  fail_validation(messages::kNotDisassociable);
}

void check_disassociation(const TableSchema& schema, const TableParameters& parameters) {
  for (const std::string_view region : regions_of(parameters, Action::kDisassociate)) {
    if (region != schema.region) fail_validation(messages::kDisassociatedElsewhere);
    require_own_life(schema);
    if (!schema.global_table->may_leave) fail_validation(messages::kDisassociationProtected);
  }
}

void leave_group(TableSchema& schema) {
  storage::GlobalTable global = storage::copy_of_global(schema);
  global.is_leaving = true;
  storage::set_global(schema, std::move(global));
}

// The regions that are not members, each once per action, in the order of the request.
std::vector<std::string_view> find_unknown(const storage::GlobalTable& global,
                                           const TableParameters& parameters) {
  std::vector<std::string_view> unknown;
  for (const Action action : {Action::kUpdate, Action::kDelete}) {
    for (const std::string_view region : regions_of(parameters, action)) {
      if (global.find(region) == nullptr) unknown.push_back(region);
    }
  }
  return unknown;
}

}  // namespace

storage::Database& database_in(Request& request, std::string_view region) {
  if (!request.databases.keeps_regions_apart() ||
      request.caller.profile == Profile::kDynamoDbLocal) {
    fail_validation(messages::kNoOtherRegions);
  }
  Caller there = request.caller;
  there.region = region;
  return request.databases.make(there);
}

void check_replicas(const TableSchema& schema, const TableParameters& parameters) {
  const storage::GlobalTable global = storage::copy_of_global(schema);
  if (global.version == storage::kLegacyGlobalTables) fail_validation(messages::kLegacyTable);
  const std::vector<std::string_view> created = regions_of(parameters, Action::kCreate);
  const std::vector<std::string_view> removed = regions_of(parameters, Action::kDelete);
  for (const auto* regions : {&created, &removed}) {
    if (std::ranges::find(*regions, schema.region) != regions->end()) {
      fail_validation(messages::kOwnRegion);
    }
  }
  check_disassociation(schema, parameters);
  check_strong_members(schema, parameters);
  for (const std::string_view region : created) {
    if (global.find(region) == nullptr) continue;
    fail_validation(messages::replica_exists_as_table(schema.name));
  }
  const std::vector<std::string_view> unknown = find_unknown(global, parameters);
  if (!unknown.empty()) fail_validation(messages::replicas_unknown(unknown));
  check_strong_removal(schema, parameters);
  for (const RequestedReplica& update : *parameters.replica_updates) {
    check_key(schema.encryption, update);
    check_billing(schema, update);
  }
  if (!global.is_strong && removed.size() > 1) fail_validation(messages::kSeveralReplicas);
}

void find_places(Request& request, std::string_view table, TableParameters& parameters) {
  for (RequestedReplica& update : *parameters.replica_updates) {
    if (update.action == Action::kCreate) {
      storage::Database& database = database_in(request, update.region);
      update.database = database.number();
      if (database.find_table(table) == nullptr) continue;
      fail_validation(messages::replica_exists_as_table(table));
    }
    if (update.action != Action::kDelete) continue;
    Caller there = request.caller;
    there.region = update.region;
    const storage::TablePtr replica = request.databases.find(there).find_table(table);
    if (replica != nullptr && replica->schema.deletion_protection) {
      fail_validation(messages::replica_protected(table, update.region));
    }
  }
}

void change_replicas(TableSchema& schema, const TableParameters& parameters, double now) {
  check_replicas(schema, parameters);
  if (parameters.asks_strong()) make_strong(schema, parameters, now);
  for (const RequestedReplica& update : *parameters.replica_updates) {
    if (update.action == Action::kCreate) create_replica(schema, update, now);
    if (update.action == Action::kUpdate) update_replica(schema, update);
    if (update.action == Action::kDelete) {
      storage::set_replica_status(schema, update.region, ReplicaStatus::kDeleting);
    }
    if (update.action == Action::kDisassociate) leave_group(schema);
  }
  if (parameters.witness_update && parameters.witness_update->removes) remove_witness(schema);
  schema.status = storage::ResourceStatus::kUpdating;
}

void protect_membership(TableSchema& schema, bool is_protected) {
  require_own_life(schema);
  storage::GlobalTable global = storage::copy_of_global(schema);
  global.may_leave = !is_protected;
  storage::set_global(schema, std::move(global));
}

bool is_changing_replicas(const TableSchema& schema) {
  if (schema.global_table == nullptr) return false;
  const storage::GlobalTable& global = *schema.global_table;
  if (global.is_leaving) return true;
  if (global.witness && global.witness->status != ReplicaStatus::kActive) return true;
  return std::ranges::any_of(global.replicas, [](const Replica& replica) {
    return replica.status != ReplicaStatus::kActive &&
           replica.status != ReplicaStatus::kCreationFailed;
  });
}

}  // namespace magneto::api
