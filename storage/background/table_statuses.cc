#include "storage/background/table_statuses.h"

#include <algorithm>

#include "storage/model/global_table.h"
#include "storage/table/index_stages.h"

namespace magneto::storage {
namespace {

bool is_passing(const IndexSchema& index) {
  return index.status == ResourceStatus::kUpdating || index.status == ResourceStatus::kDeleting ||
         is_only_begun(index);
}

bool is_deleting(const IndexSchema& index) { return index.status == ResourceStatus::kDeleting; }

// Gives newly enabled time to live a new queue, and removes that of time to live just disabled.
void renew_expiry_queue(TableSchema& schema) {
  TimeToLive& time_to_live = schema.time_to_live;
  if (time_to_live.status == TimeToLiveStatus::kDisabling) {
    time_to_live.queue_number = 0;
    time_to_live.backfilling = false;
  }
  if (time_to_live.status == TimeToLiveStatus::kEnabling && time_to_live.queue_number == 0) {
    time_to_live.queue_number = schema.take_index_number();
    time_to_live.backfilling = true;
  }
}

// A new index of the same name must not inherit the scaling of the removed one.
void forget_scaling_of_gone(TableSchema& schema) {
  if (schema.global_table == nullptr || schema.global_table->scaling.empty()) return;
  GlobalTable global = copy_of_global(schema);
  std::erase_if(global.scaling, [&](const CapacityScaling& one) {
    return !one.index.empty() && schema.find_index(one.index) == nullptr;
  });
  set_global(schema, std::move(global));
}

}  // namespace

bool is_being_restored(const TableSchema& schema) {
  return schema.restored && schema.restored->in_progress;
}

bool is_being_filled(const TableSchema& schema) {
  return is_being_restored(schema) ||
         (schema.global_table != nullptr && schema.global_table->is_filling);
}

bool is_passing(const TableSchema& schema) {
  if (is_being_filled(schema)) return false;
  return schema.status == ResourceStatus::kCreating || schema.status == ResourceStatus::kUpdating ||
         std::ranges::any_of(schema.indexes, [](const auto& index) { return is_passing(index); });
}

bool has_new_index(const TableSchema& schema) {
  return std::ranges::any_of(schema.indexes, is_only_begun);
}

bool is_passing(const TimeToLive& time_to_live) {
  return time_to_live.status == TimeToLiveStatus::kEnabling ||
         time_to_live.status == TimeToLiveStatus::kDisabling;
}

void set_all_statuses(TableSchema& schema, ResourceStatus status) {
  schema.status = status;
  for (IndexSchema& index : schema.indexes) {
    index.status = status;
    index.backfilling = false;
  }
}

void begin_passing(TableSchema& schema) {
  bool has_changes = std::ranges::any_of(schema.indexes, [](const IndexSchema& index) {
    return is_deleting(index) && traits_of(index.kind).deletion_updates_table;
  });
  for (IndexSchema& index : schema.indexes) {
    if (index.number != 0) continue;
    index.status = ResourceStatus::kCreating;
    has_changes = true;
  }
  schema.number_new_indexes();
  if (has_changes && schema.status != ResourceStatus::kDeleting) {
    schema.status = ResourceStatus::kUpdating;
  }
  renew_expiry_queue(schema);
}

void finish_passing(TableSchema& schema) {
  if (is_being_filled(schema)) return;
  if (std::erase_if(schema.indexes, is_deleting) != 0) forget_scaling_of_gone(schema);
  const bool with_table = schema.status == ResourceStatus::kCreating;
  for (IndexSchema& index : schema.indexes) {
    if (!is_passing(index)) continue;
    if (index.status == ResourceStatus::kCreating && !with_table) index.backfilling = true;
    index.status = index.backfilling ? ResourceStatus::kCreating : ResourceStatus::kActive;
  }
  if (schema.status != ResourceStatus::kDeleting) schema.status = ResourceStatus::kActive;
}

// Filling the queue may take longer.
void finish_passing(TimeToLive& time_to_live) {
  if (time_to_live.status == TimeToLiveStatus::kEnabling) {
    time_to_live.status = TimeToLiveStatus::kEnabled;
  } else if (time_to_live.status == TimeToLiveStatus::kDisabling) {
    time_to_live = {};
  }
}

}  // namespace magneto::storage
