#include "storage/background/global_tables.h"

#include <exception>
#include <utility>
#include <vector>

#include "storage/background/replica_schema.h"
#include "storage/background/table_lifecycle.h"
#include "storage/table/replica_members.h"

namespace magneto::storage {
namespace {

bool is_global(const TableSchema& schema) { return schema.global_table != nullptr; }

bool expires_here(const Table& table) {
  return table.replication == nullptr || table.replication->expires_here;
}

}  // namespace

GlobalTables::GlobalTables(const Parts& parts, const ReportWarning& report)
    : parts_(parts),
      making_({.catalog = parts.catalog,
               .fill = parts.fill,
               .lifecycle = parts.lifecycle,
               .report = report,
               .note = [this](const TableSchema& schema) { note(schema); }}),
      task_(parts.jobs, [this](const std::stop_token& stop) { look(stop); }) {}

// Edits may be reported in any order, so this uses the newest version.
void GlobalTables::note(const TableSchema& table) {
  {
    const std::lock_guard lock(mutex_);
    const TablePtr newest = parts_.catalog.find(table.database, table.name);
    if (newest != nullptr && is_global(newest->schema)) {
      names_.emplace(table.database, table.name);
    } else {
      names_.erase({table.database, table.name});
    }
  }
  parts_.sender.note(table);
}

void GlobalTables::resume() {
  bool has_any = false;
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (!is_global(table->schema)) continue;
    note(table->schema);
    has_any = true;
  }
  if (has_any) task_.due_now();
}

void GlobalTables::follow(const Catalog::Edited& edited) {
  const TableSchema& now = edited.table->schema;
  if (!is_global(now) && !is_global(edited.previous->schema)) return;
  note(now);
  // Items that expired while another region had to delete them.
  if (expires_here(*edited.table) && !expires_here(*edited.previous)) parts_.expiry_timer.note(0);
  task_.due_now();
}

void GlobalTables::drop(const Table& table) {
  if (!is_global(table.schema)) return;
  note(table.schema);
  task_.due_now();
}

void GlobalTables::look(const std::stop_token& stop) {
  std::vector<Name> names;
  {
    const std::lock_guard lock(mutex_);
    names.assign(names_.begin(), names_.end());
  }
  std::set<std::uint32_t> numbers;
  bool has_more = false;
  // A table that fails does not block the others; it is retried.
  std::exception_ptr thrown;
  for (const auto& [database, name] : names) {
    if (stop.stop_requested()) return;
    const TablePtr table = parts_.catalog.find(database, name);
    if (table == nullptr || !is_global(table->schema)) continue;
    numbers.insert(table->schema.number);
    try {
      if (!attend_to(table, stop)) has_more = true;
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  const auto is_gone = [&](std::uint32_t number) { return !numbers.contains(number); };
  std::erase_if(finished_, is_gone);
  std::erase_if(leaving_, [&](const auto& one) { return is_gone(one.first.first); });
  if (has_more) task_.due_now();
  if (thrown) std::rethrow_exception(thrown);
}

bool GlobalTables::attend_to(const TablePtr& table, const std::stop_token& stop) {
  if (table->schema.status == ResourceStatus::kDeleting) return finish_deletion(table, stop);
  if (table->schema.global_table->is_leaving) return leave(table, stop);
  bool is_done = true;
  // Removals first, because they free room.
  for (const Replica& replica : table->schema.global_table->replicas) {
    if (replica.status == ReplicaStatus::kDeleting) {
      is_done = take_down(table, replica, stop) && is_done;
    }
  }
  for (const Replica& replica : table->schema.global_table->replicas) {
    switch (replica.status) {
      case ReplicaStatus::kCreating:
        if (table->schema.global_table->is_filling) break;  // other tables make it
        is_done = making_.go_on(table, replica) && is_done;
        break;
      case ReplicaStatus::kDeleting:
      case ReplicaStatus::kCreationFailed:
        break;
      case ReplicaStatus::kActive:
      case ReplicaStatus::kUpdating:
        if (partner_of(parts_.catalog, table->schema, replica) == nullptr) {
          making_.strike_off(table->schema, replica.region);
        } else {
          static_cast<void>(share_settings(table, replica));
        }
        break;
    }
  }
  return is_done;
}

// Writers that started before the table was DELETING have ended; nothing is written to it any more.
bool GlobalTables::finish_deletion(const TablePtr& table, const std::stop_token& stop) {
  const std::uint32_t number = table->schema.number;
  if (finished_.contains(number)) return true;
  const bool has_shared_all = share_all_settings(table);
  if (!has_sent_all(table, {}, stop)) return false;
  if (!has_shared_all) return true;
  parts_.lifecycle.finish_deletion(table->schema.full_name(), number);
  finished_.insert(number);
  return true;
}

// The others remove this replica when they check it next. Writes at the end, while both still send,
// do not always reach the other table.
bool GlobalTables::leave(const TablePtr& table, const std::stop_token& stop) {
  const bool has_shared_all = share_all_settings(table);
  for (const Replica& replica : table->schema.global_table->replicas) {
    const TablePtr partner = partner_of(parts_.catalog, table->schema, replica);
    if (partner != nullptr && !has_sent_all(partner, table->schema.region, stop)) return false;
  }
  if (!has_sent_all(table, {}, stop)) return false;
  if (has_shared_all) become_regional(table->schema);
  return true;
}

void GlobalTables::become_regional(const TableSchema& table) {
  parts_.lifecycle.update_table(table.full_name(), [&](TableSchema& schema) {
    if (schema.number != table.number) return;
    if (schema.status != ResourceStatus::kDeleting) schema.global_table = nullptr;
  });
}

bool GlobalTables::share_all_settings(const TablePtr& table) {
  bool has_shared_all = true;
  for (const Replica& replica : table->schema.global_table->replicas) {
    has_shared_all = share_settings(table, replica) && has_shared_all;
  }
  return has_shared_all;
}

bool GlobalTables::has_sent_all(const TablePtr& table, const std::string& region,
                                const std::stop_token& stop) {
  const std::pair key{table->schema.number, region};
  auto found = leaving_.find(key);
  if (found == leaving_.end()) {
    parts_.engine.wait_for_open_scopes();
    found = leaving_.emplace(key, parts_.sender.ends(*table, region)).first;
  }
  parts_.sender.send_some_up_to(table, found->second, stop);
  if (stop.stop_requested() || !found->second.empty()) return false;
  leaving_.erase(found);
  return true;
}

bool GlobalTables::take_down(const TablePtr& table, const Replica& replica,
                             const std::stop_token& stop) {
  const TablePtr target = partner_of(parts_.catalog, table->schema, replica);
  if (target == nullptr) {
    // The other members also know a replica that could not be made.
    for (const TablePtr& member : members_of(parts_.catalog, table, replica.region)) {
      making_.strike_off(member->schema, replica.region);
    }
    return true;
  }
  if (target->schema.status == ResourceStatus::kDeleting) return true;  // drop() will be called
  if (target->schema.global_table->is_leaving) return true;             // follow() will be called
  if (table->schema.global_table->version != kLegacyGlobalTables) {
    parts_.lifecycle.delete_table(target->schema.full_name());
    return true;
  }
  // Its table stays, with all earlier writes.
  if (!has_sent_all(target, {}, stop)) return false;
  if (!has_sent_all(table, replica.region, stop)) return false;
  become_regional(target->schema);
  return true;
}

bool GlobalTables::share_settings(const TablePtr& table, const Replica& replica) {
  const GlobalTable& global = *table->schema.global_table;
  if (global.version != kCurrentGlobalTables || global.is_filling) return true;
  const TablePtr target = partner_of(parts_.catalog, table->schema, replica);
  const auto is_older = [&](const TableSchema& schema) {
    return is_global(schema) && !schema.global_table->is_filling &&
           schema.status != ResourceStatus::kDeleting &&
           schema.global_table->settings_version < global.settings_version;
  };
  if (target == nullptr || !is_older(target->schema)) return true;
  TableSchema trial = target->schema;
  bool is_whole = copy_settings(table->schema, trial);
  if (!is_whole && has_same_settings(trial, target->schema)) {
    // It waits for the end of an index, or of time to live, which is not reported here.
    task_.due_after(kRetryDelay);
    return false;
  }
  parts_.lifecycle.update_table(target->schema.full_name(), [&](TableSchema& schema) {
    is_whole = true;
    if (schema.number != target->schema.number || !is_older(schema)) return;
    is_whole = copy_settings(table->schema, schema);
    if (!is_whole) return;
    GlobalTable known = copy_of_global(schema);
    known.settings_version = global.settings_version;
    set_global(schema, std::move(known));
  });
  return is_whole;
}

}  // namespace magneto::storage
