#include "storage/background/global_tables.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "storage/background/replica_schema.h"
#include "storage/background/table_lifecycle.h"
#include "storage/background/table_statuses.h"

namespace magneto::storage {
namespace {

bool is_global(const TableSchema& schema) { return schema.global_table != nullptr; }

bool expires_here(const Table& table) {
  return table.replication == nullptr || table.replication->expires_here;
}

}  // namespace

GlobalTables::GlobalTables(const Parts& parts)
    : parts_(parts), chore_(parts.jobs, [this](const std::stop_token& stop) { look(stop); }) {}

void GlobalTables::add(const TableSchema& table) {
  {
    const std::lock_guard lock(mutex_);
    names_.emplace(table.database, table.name);
  }
  parts_.sender.add(table);
}

void GlobalTables::remove(const TableSchema& table) {
  {
    const std::lock_guard lock(mutex_);
    names_.erase({table.database, table.name});
  }
  parts_.sender.remove(table);
}

void GlobalTables::resume() {
  bool has_any = false;
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (!is_global(table->schema)) continue;
    add(table->schema);
    has_any = true;
  }
  if (has_any) chore_.due_now();
}

void GlobalTables::follow(const Catalog::Edited& edited) {
  const TableSchema& now = edited.table->schema;
  if (!is_global(now) && !is_global(edited.previous->schema)) return;
  if (is_global(now)) {
    add(now);
  } else {
    remove(now);
  }
  // What has expired while another region was to delete it.
  if (expires_here(*edited.table) && !expires_here(*edited.previous)) parts_.expiry_timer.note(0);
  chore_.due_now();
}

void GlobalTables::drop(const Table& table) {
  if (!is_global(table.schema)) return;
  remove(table.schema);
  chore_.due_now();
}

void GlobalTables::look(const std::stop_token& stop) {
  std::vector<Name> names;
  {
    const std::lock_guard lock(mutex_);
    names.assign(names_.begin(), names_.end());
  }
  // One that has no room, or meets a fault, holds up no other; it is tried again.
  std::exception_ptr thrown;
  for (const auto& [database, name] : names) {
    const TablePtr table = parts_.catalog.find(database, name);
    if (table == nullptr || !is_global(table->schema)) continue;
    if (table->schema.status == ResourceStatus::kDeleting) continue;
    try {
      if (!attend_to(table, stop)) return;
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
}

bool GlobalTables::attend_to(const TablePtr& table, const std::stop_token& stop) {
  // What goes first frees room.
  for (const Replica& replica : table->schema.global_table->replicas) {
    if (stop.stop_requested()) return false;
    if (replica.status == ReplicaStatus::kDeleting) take_down(table, replica, stop);
  }
  for (const Replica& replica : table->schema.global_table->replicas) {
    if (stop.stop_requested()) return false;
    switch (replica.status) {
      case ReplicaStatus::kCreating:
        if (table->schema.global_table->is_filling) break;  // others bring it up
        if (!bring_up(table, replica, stop)) return false;
        break;
      case ReplicaStatus::kDeleting:
        break;
      case ReplicaStatus::kActive:
      case ReplicaStatus::kUpdating:
        if (partner(table->schema, replica) == nullptr) {
          strike_off(table->schema, replica);
        } else {
          share_settings(table, replica);
        }
        break;
    }
  }
  return true;
}

TablePtr GlobalTables::partner(const TableSchema& table, const Replica& replica) const {
  TablePtr found = parts_.catalog.find(replica.database, table.name);
  const bool is_it = found != nullptr && is_global(found->schema) &&
                     found->schema.global_table->find(table.region) != nullptr;
  return is_it ? found : nullptr;
}

std::vector<TablePtr> GlobalTables::members_of(const TablePtr& table, const Replica& except) const {
  std::vector<TablePtr> members = {table};
  for (const Replica& replica : table->schema.global_table->replicas) {
    if (replica.region == except.region || replica.status == ReplicaStatus::kDeleting) continue;
    if (TablePtr found = partner(table->schema, replica)) members.push_back(std::move(found));
  }
  return members;
}

// Every member sends its changes to the new one before any is asked for what it has: so none is
// missed that was made in one and has not come to the others.
bool GlobalTables::bring_up(const TablePtr& table, const Replica& replica,
                            const std::stop_token& stop) {
  for (const TablePtr& member : members_of(table, replica)) {
    if (member->schema.global_table->find(replica.region) != nullptr) continue;
    const Catalog::Edited edited =
        parts_.catalog.edit(member->schema.full_name(), [&](TableSchema& schema) {
          if (schema.number != member->schema.number || !is_global(schema)) return false;
          add_replica(schema, {.region = replica.region,
                               .database = replica.database,
                               .queue_number = 0,
                               .status = ReplicaStatus::kCreating,
                               .settings = replica.settings});
          return true;
        });
    if (edited.table != nullptr) add(edited.table->schema);
  }
  const std::vector<TablePtr> members = members_of(table, replica);
  const TablePtr target = make_table(table, replica, members);
  if (target == nullptr) {  // somebody has made another table of that name meanwhile
    for (const TablePtr& member : members) strike_off(member->schema, replica);
    return true;
  }
  for (const TablePtr& member : members) {
    if (!parts_.fill.fill(*member, target, stop)) return false;
  }
  complete(target, members);
  return true;
}

// The table of the new replica, which knows all members.
TablePtr GlobalTables::make_table(const TablePtr& table, const Replica& replica,
                                  const std::vector<TablePtr>& members) {
  std::vector<const TableSchema*> others;
  others.reserve(members.size());
  for (const TablePtr& member : members) others.push_back(&member->schema);
  TablePtr target = parts_.catalog.find(replica.database, table->schema.name);
  if (target == nullptr) {
    target = parts_.catalog.create(replica_schema(table->schema, replica, others));
    if (target != nullptr) add(target->schema);
    return target;
  }
  const GlobalTable& global = *table->schema.global_table;
  const bool joins = global.version == kLegacyGlobalTables && !is_global(target->schema);
  if (!joins && partner(table->schema, replica) == nullptr) return nullptr;
  const bool knows_all = !joins && std::ranges::all_of(others, [&](const TableSchema* other) {
    return target->schema.global_table->find(other->region) != nullptr;
  });
  if (knows_all) return target;
  const Catalog::Edited edited =
      parts_.catalog.edit(target->schema.full_name(), [&](TableSchema& schema) {
        for (const TableSchema* other : others) {
          add_replica(schema, {.region = other->region,
                               .database = other->database,
                               .queue_number = 0,
                               .status = ReplicaStatus::kActive,
                               .settings = {}});
        }
        GlobalTable known = copy_of_global(schema);
        known.version = global.version;
        known.created = global.created;
        set_global(schema, std::move(known));
        return true;
      });
  if (edited.table != nullptr) add(edited.table->schema);
  return edited.table;
}

void GlobalTables::complete(const TablePtr& target, const std::vector<TablePtr>& members) {
  parts_.lifecycle.update_table(target->schema.full_name(), [](TableSchema& schema) {
    if (!is_global(schema)) return;
    GlobalTable global = copy_of_global(schema);
    global.is_filling = false;
    set_global(schema, std::move(global));
    if (schema.status == ResourceStatus::kCreating) finish_passing(schema);
  });
  for (const TablePtr& member : members) {
    parts_.lifecycle.update_table(member->schema.full_name(), [&](TableSchema& schema) {
      if (is_global(schema))
        set_replica_status(schema, target->schema.region, ReplicaStatus::kActive);
    });
  }
}

void GlobalTables::take_down(const TablePtr& table, const Replica& replica,
                             const std::stop_token& stop) {
  const TablePtr target = partner(table->schema, replica);
  if (target == nullptr) return strike_off(table->schema, replica);
  if (target->schema.status == ResourceStatus::kDeleting) return;  // drop() comes
  parts_.sender.try_to_send_all(target, stop);
  if (stop.stop_requested()) return;
  if (table->schema.global_table->version != kLegacyGlobalTables) {
    parts_.lifecycle.delete_table(target->schema.full_name());
    return;
  }
  // Its table stays, with all that was written before.
  parts_.sender.try_to_send_all(table, stop, replica.region);
  parts_.lifecycle.update_table(target->schema.full_name(), [&](TableSchema& schema) {
    if (schema.number == target->schema.number) schema.global_table = nullptr;
  });
}

void GlobalTables::strike_off(const TableSchema& table, const Replica& replica) {
  parts_.lifecycle.update_table(table.full_name(), [&](TableSchema& schema) {
    if (schema.number != table.number) return;
    remove_replica(schema, replica.region);
    // A new one whose others are gone has what it has.
    if (!is_global(schema) && schema.status == ResourceStatus::kCreating) finish_passing(schema);
  });
}

void GlobalTables::share_settings(const TablePtr& table, const Replica& replica) {
  const GlobalTable& global = *table->schema.global_table;
  if (global.version != kCurrentGlobalTables || global.is_filling) return;
  const TablePtr target = partner(table->schema, replica);
  const auto is_older = [&](const TableSchema& schema) {
    return is_global(schema) && !schema.global_table->is_filling &&
           schema.status != ResourceStatus::kDeleting &&
           schema.global_table->settings_version < global.settings_version;
  };
  if (target == nullptr || !is_older(target->schema)) return;
  TableSchema trial = target->schema;
  bool is_whole = copy_settings(table->schema, trial);
  // What waits for an index to be gone is looked at again once it is.
  if (!is_whole && has_same_settings(trial, target->schema)) return;
  parts_.lifecycle.update_table(target->schema.full_name(), [&](TableSchema& schema) {
    if (schema.number != target->schema.number || !is_older(schema)) return;
    is_whole = copy_settings(table->schema, schema);
    if (!is_whole) return;
    GlobalTable known = copy_of_global(schema);
    known.settings_version = global.settings_version;
    set_global(schema, std::move(known));
  });
}

}  // namespace magneto::storage
