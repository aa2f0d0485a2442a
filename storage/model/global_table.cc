#include "storage/model/global_table.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "storage/model/table_schema.h"

namespace magneto::storage {
namespace {

bool is_going(const IndexSchema& index) { return index.status == ResourceStatus::kDeleting; }

bool is_same_units(const ProvisionedThroughput& a, const ProvisionedThroughput& b) {
  return a.read_units == b.read_units && a.write_units == b.write_units;
}

bool is_same_maximum(const OnDemandThroughput& a, const OnDemandThroughput& b) {
  return a.max_read_units == b.max_read_units && a.max_write_units == b.max_write_units;
}

std::vector<const IndexSchema*> staying(const TableSchema& schema) {
  std::vector<const IndexSchema*> indexes;
  for (const IndexSchema& index : schema.indexes) {
    if (!is_going(index)) indexes.push_back(&index);
  }
  std::ranges::sort(indexes, {}, [](const IndexSchema* index) { return index->name; });
  return indexes;
}

// Compares the replicas that both know.
bool has_same_own_settings(const GlobalTable& a, const GlobalTable& b) {
  return std::ranges::all_of(a.replicas, [&](const Replica& replica) {
    const Replica* other = b.find(replica.region);
    return other == nullptr || other->settings == replica.settings;
  });
}

// An on-demand table has no units: the table's own units return with provisioned billing.
void take_units(const ProvisionedThroughput& before, const ProvisionedThroughput& now,
                std::optional<std::int64_t>& own) {
  if (own && now.read_units != 0 && now.read_units != before.read_units) own = now.read_units;
}

void take_maximum(const OnDemandThroughput& before, const OnDemandThroughput& now,
                  bool changes_billing, std::optional<std::int64_t>& own) {
  if (!own || now.max_read_units == before.max_read_units) return;
  if (now.max_read_units || !changes_billing) own = now.max_read_units;
}

// A setting given to a table in its region becomes its own, if it has its own value for it.
void take_as_own(const TableSchema& before, const TableSchema& now, ReplicaSettings& own) {
  const bool changes_billing = before.billing != now.billing;
  take_units(before.provisioned, now.provisioned, own.read_units);
  take_maximum(before.on_demand, now.on_demand, changes_billing, own.max_read_units);
  for (ReplicaIndex& index : own.indexes) {
    const IndexSchema* former = before.find_index(index.name);
    const IndexSchema* given = now.find_index(index.name);
    if (former == nullptr || given == nullptr) continue;
    take_units(former->provisioned, given->provisioned, index.read_units);
    take_maximum(former->on_demand, given->on_demand, changes_billing, index.max_read_units);
  }
  if (!own.table_class.empty() && now.table_class != before.table_class) {
    own.table_class = now.table_class;
  }
  if (!own.kms_key_arn.empty() && now.encryption.enabled &&
      now.encryption.key_arn != before.encryption.key_arn) {
    own.kms_key_arn = now.encryption.key_arn;
  }
}

}  // namespace

bool expires(const TimeToLive& time_to_live) {
  return time_to_live.status == TimeToLiveStatus::kEnabling ||
         time_to_live.status == TimeToLiveStatus::kEnabled;
}

bool is_same_expiry(const TimeToLive& a, const TimeToLive& b) {
  return expires(a) == expires(b) && (!expires(a) || a.attribute == b.attribute);
}

GlobalTable copy_of_global(const TableSchema& schema) {
  return schema.global_table == nullptr ? GlobalTable() : *schema.global_table;
}

void set_global(TableSchema& schema, GlobalTable global) {
  schema.global_table = std::make_shared<const GlobalTable>(std::move(global));
}

void add_replica(TableSchema& schema, Replica replica) {
  GlobalTable global = copy_of_global(schema);
  if (global.find(replica.region) != nullptr) return;
  if (global.version.empty()) global.version = kCurrentGlobalTables;
  if (!global.is_strong) {
    if (global.stamps_number == 0) {
      global.stamps_number = schema.take_index_number();
      global.deleted_number = schema.take_index_number();
    }
    replica.queue_number = schema.take_index_number();
  }
  global.replicas.push_back(std::move(replica));
  set_global(schema, std::move(global));
}

void remove_replica(TableSchema& schema, std::string_view region) {
  if (schema.global_table == nullptr) return;
  GlobalTable global = copy_of_global(schema);
  std::erase_if(global.replicas, [&](const Replica& one) { return one.region == region; });
  if (global.replicas.empty() && global.version != kLegacyGlobalTables) {
    schema.global_table = nullptr;
  } else {
    set_global(schema, std::move(global));
  }
}

void set_replica_status(TableSchema& schema, std::string_view region, ReplicaStatus status) {
  GlobalTable global = copy_of_global(schema);
  if (Replica* replica = global.find(region)) replica->status = status;
  set_global(schema, std::move(global));
}

void settle_witness(GlobalTable& global) {
  const bool is_whole = std::ranges::none_of(global.replicas, [](const Replica& replica) {
    return replica.status == ReplicaStatus::kCreating;
  });
  const bool waits = global.witness && global.witness->status == ReplicaStatus::kCreating;
  if (waits && is_whole) global.witness->status = ReplicaStatus::kActive;
}

void fail_replica(TableSchema& schema, std::string_view region) {
  if (schema.global_table == nullptr) return;
  GlobalTable global = copy_of_global(schema);
  Replica* const replica = global.find(region);
  if (replica == nullptr || replica->status != ReplicaStatus::kCreating) return;
  replica->status = ReplicaStatus::kCreationFailed;
  replica->queue_number = 0;
  settle_witness(global);
  set_global(schema, std::move(global));
}

bool has_replicas(const TableSchema& schema) {
  return schema.global_table != nullptr && !schema.global_table->replicas.empty();
}

bool is_strong(const TableSchema& schema) {
  return schema.global_table != nullptr && schema.global_table->is_strong;
}

bool has_same_settings(const TableSchema& a, const TableSchema& b) {
  const auto indexes = staying(a);
  const auto others = staying(b);
  const bool has_same_indexes =
      std::ranges::equal(indexes, others, [](const IndexSchema* one, const IndexSchema* other) {
        return is_same_index(*one, *other) && is_same_units(one->provisioned, other->provisioned) &&
               is_same_maximum(one->on_demand, other->on_demand);
      });
  return has_same_indexes && a.billing == b.billing &&
         is_same_units(a.provisioned, b.provisioned) && is_same_maximum(a.on_demand, b.on_demand) &&
         a.warm.read_units_per_second == b.warm.read_units_per_second &&
         a.warm.write_units_per_second == b.warm.write_units_per_second &&
         a.encryption.enabled == b.encryption.enabled &&
         is_same_expiry(a.time_to_live, b.time_to_live);
}

void record_new_settings(const TableSchema& before, TableSchema& schema, std::int64_t time) {
  if (before.global_table == nullptr || schema.global_table == nullptr) return;
  GlobalTable global = copy_of_global(schema);
  const GlobalTable& former = *before.global_table;
  if (global.settings_version != former.settings_version) return;
  if (global.own == former.own) take_as_own(before, schema, global.own);
  if (global.own == former.own && has_same_settings(before, schema) &&
      has_same_own_settings(former, global)) {
    return;
  }
  global.settings_version = std::max(former.settings_version + 1, static_cast<std::uint64_t>(time));
  set_global(schema, std::move(global));
}

}  // namespace magneto::storage
