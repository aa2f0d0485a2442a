#include "storage/background/replica_schema.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "storage/background/table_statuses.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kKeysOfAws = "arn:aws:kms:";

bool is_going(const IndexSchema& index) { return index.status == ResourceStatus::kDeleting; }

// A key of another region corresponds to the key of the same name there.
std::string key_in(const std::string& key_arn, const std::string& region) {
  if (!key_arn.starts_with(kKeysOfAws)) return key_arn;
  const std::size_t end = key_arn.find(':', kKeysOfAws.size());
  if (end == std::string::npos) return key_arn;
  return std::string(kKeysOfAws) + region + key_arn.substr(end);
}

using Units = std::optional<std::int64_t>;

// The own settings of the table that settings are copied from and of the one they are copied to.
struct Owns {
  const ReplicaSettings& from;
  const ReplicaSettings& to;
  BillingMode billing;

  Owns of_index(std::string_view name, ReplicaSettings& of_from, ReplicaSettings& of_to) const {
    const auto narrowed = [&](const ReplicaSettings& all, ReplicaSettings& one) {
      const ReplicaIndex* index = all.find_index(name);
      if (index == nullptr) return;
      one.read_units = index->read_units;
      one.max_read_units = index->max_read_units;
    };
    narrowed(from, of_from);
    narrowed(to, of_to);
    return {of_from, of_to, billing};
  }
};

// A table's own units are not copied: the target keeps its units, unless it has none.
void take_units(const ProvisionedThroughput& from, const Owns& owns, ProvisionedThroughput& to) {
  to.write_units = from.write_units;
  const bool keeps = owns.from.read_units && to.read_units != 0;
  const std::int64_t common = keeps ? to.read_units : from.read_units;
  to.read_units = from.read_units == 0 ? 0 : owns.to.read_units.value_or(common);
}

// A table with provisioned units has no maximum; its own maximum returns with on-demand billing.
void take_maximum(const OnDemandThroughput& from, const Owns& owns, OnDemandThroughput& to) {
  if (owns.billing == BillingMode::kProvisioned) {
    to = {};
    return;
  }
  to.max_write_units = from.max_write_units;
  const Units common = owns.from.max_read_units ? to.max_read_units : from.max_read_units;
  to.max_read_units = owns.to.max_read_units ? owns.to.max_read_units : common;
}

void take_throughput(const TableSchema& from, const Owns& owns, TableSchema& to) {
  to.billing = from.billing;
  to.billing_mode_given = from.billing_mode_given;
  to.pay_per_request_since = from.pay_per_request_since;
  take_units(from.provisioned, owns, to.provisioned);
  take_maximum(from.on_demand, owns, to.on_demand);
  to.warm = from.warm;
}

void take_index_throughput(const IndexSchema& from, const Owns& owns, IndexSchema& to) {
  ReplicaSettings of_from;
  ReplicaSettings of_to;
  const Owns of_index = owns.of_index(from.name, of_from, of_to);
  take_units(from.provisioned, of_index, to.provisioned);
  take_maximum(from.on_demand, of_index, to.on_demand);
  to.warm = from.warm;
}

IndexSchema new_index(const IndexSchema& from, const Owns& owns) {
  IndexSchema index = from;
  index.number = 0;
  index.backfilling = false;
  index.provisioned = {};
  index.on_demand = {};
  take_index_throughput(from, owns, index);
  return index;
}

void take_encryption(const TableSchema& from, const ReplicaSettings& own, TableSchema& to) {
  if (from.encryption.enabled != to.encryption.enabled) {
    to.encryption = from.encryption;
    to.encryption.key_arn = key_in(from.encryption.key_arn, to.region);
  }
  if (to.encryption.enabled && !own.kms_key_arn.empty()) to.encryption.key_arn = own.kms_key_arn;
}

void take_time_to_live(const TimeToLive& from, TimeToLive& to) {
  if (is_same_expiry(from, to)) return;
  if (!expires(to)) {
    to.attribute = from.attribute;
    to.status = TimeToLiveStatus::kEnabling;
  } else {
    to.status = TimeToLiveStatus::kDisabling;  // the other attribute follows later
  }
}

// False if an index of another kind must be removed first.
bool take_indexes(const TableSchema& from, const Owns& owns, TableSchema& to) {
  bool is_whole = true;
  for (IndexSchema& index : to.indexes) {
    const IndexSchema* wanted = from.find_index(index.name);
    if (wanted == nullptr || is_going(*wanted) || !is_same_index(*wanted, index)) {
      index.status = ResourceStatus::kDeleting;
    } else if (!is_going(index)) {
      take_index_throughput(*wanted, owns, index);
    }
  }
  for (const IndexSchema& wanted : from.indexes) {
    if (is_going(wanted)) continue;
    const IndexSchema* index = to.find_index(wanted.name);
    if (index == nullptr) {
      to.indexes.push_back(new_index(wanted, owns));
    } else if (is_going(*index)) {
      is_whole = false;
    }
  }
  to.attribute_definitions = from.attribute_definitions;
  return is_whole;
}

// Copies the own settings of `from` to the list in `to`: each table knows those of all.
void take_own_settings(const TableSchema& from, TableSchema& to) {
  GlobalTable global = copy_of_global(to);
  if (const Replica* known = from.global_table->find(to.region)) global.own = known->settings;
  for (Replica& replica : global.replicas) {
    if (replica.region == from.region) replica.settings = from.global_table->own;
    if (const Replica* known = from.global_table->find(replica.region)) {
      replica.settings = known->settings;
    }
  }
  set_global(to, std::move(global));
}

}  // namespace

TableSchema replica_schema(const TableSchema& from, const Replica& replica,
                           const std::vector<const TableSchema*>& others) {
  TableSchema schema;
  schema.name = from.name;
  schema.region = replica.region;
  schema.account = from.account;
  schema.database = replica.database;
  schema.attribute_definitions = from.attribute_definitions;
  schema.key = from.key;
  const Owns owns{from.global_table->own, replica.settings, from.billing};
  for (const IndexSchema& index : from.indexes) {
    if (!is_going(index)) schema.indexes.push_back(new_index(index, owns));
  }
  schema.number_new_indexes();
  take_throughput(from, owns, schema);
  take_encryption(from, replica.settings, schema);
  schema.table_class =
      replica.settings.table_class.empty() ? from.table_class : replica.settings.table_class;
  // Strongly consistent tables have a stream only on request.
  if (!from.global_table->is_strong) schema.stream = {true, from.stream.view_type, ""};
  if (expires(from.time_to_live)) {
    schema.time_to_live = {TimeToLiveStatus::kEnabled, from.time_to_live.attribute,
                           schema.take_index_number(), false};
  }
  GlobalTable empty;
  empty.is_strong = from.global_table->is_strong;
  empty.witness = from.global_table->witness;
  set_global(schema, std::move(empty));
  for (const TableSchema* other : others) {
    Replica known{.region = other->region,
                  .database = other->database,
                  .queue_number = 0,
                  .status = ReplicaStatus::kActive,
                  .settings = {}};
    if (const Replica* listed = from.global_table->find(other->region)) {
      known.settings = listed->settings;
    } else if (other->global_table != nullptr) {
      known.settings = other->global_table->own;
    }
    add_replica(schema, std::move(known));
  }
  GlobalTable global = copy_of_global(schema);
  global.version = from.global_table->version;
  global.created = from.global_table->created;
  global.settings_version = from.global_table->settings_version;
  global.is_filling = true;
  global.own = replica.settings;
  // Write capacity scales equally everywhere.
  for (const CapacityScaling& scaling : from.global_table->scaling) {
    if (scaling.writes) global.scaling.push_back({scaling.index, std::nullopt, scaling.writes});
  }
  set_global(schema, std::move(global));
  set_all_statuses(schema, ResourceStatus::kCreating);
  return schema;
}

bool copy_settings(const TableSchema& from, TableSchema& to) {
  take_own_settings(from, to);
  const ReplicaSettings own = to.global_table->own;
  const Owns owns{from.global_table->own, own, from.billing};
  if (!own.table_class.empty()) to.table_class = own.table_class;
  take_throughput(from, owns, to);
  take_encryption(from, own, to);
  take_time_to_live(from.time_to_live, to.time_to_live);
  const bool has_indexes = take_indexes(from, owns, to);
  return has_indexes && is_same_expiry(from.time_to_live, to.time_to_live);
}

}  // namespace magneto::storage
