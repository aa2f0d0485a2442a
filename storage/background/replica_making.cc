#include "storage/background/replica_making.h"

#include <algorithm>
#include <exception>

#include "storage/background/replica_schema.h"
#include "storage/background/table_lifecycle.h"
#include "storage/background/table_statuses.h"
#include "storage/messages/background_messages.h"
#include "storage/table/memory_budget.h"
#include "storage/table/replica_members.h"

namespace magneto::storage {
namespace {

bool is_global_schema(const TableSchema& schema) { return schema.global_table != nullptr; }

bool is_legacy(const TableSchema& schema) {
  return schema.global_table->version == kLegacyGlobalTables;
}

// A replica that is CREATION_FAILED is listed, but gets no changes.
bool sends_to(const TableSchema& table, std::string_view region) {
  const Replica* known = table.global_table->find(region);
  return known != nullptr && (known->queue_number != 0 || is_strong(table)) &&
         known->status != ReplicaStatus::kCreationFailed;
}

// Removes a replica in order to add it again; the table stays a global one.
void forget_replica(TableSchema& table, std::string_view region) {
  GlobalTable global = copy_of_global(table);
  std::erase_if(global.replicas, [&](const Replica& one) { return one.region == region; });
  set_global(table, std::move(global));
}

Replica active_replica(const TableSchema& table) {
  return {.region = table.region,
          .database = table.database,
          .queue_number = 0,
          .status = ReplicaStatus::kActive,
          .settings = {}};
}

}  // namespace

bool ReplicaMaking::go_on(const TablePtr& table, const Replica& replica) {
  bool is_done = true;
  try {
    tell_members(table, replica);
    // The new replica must get the leaving member's changes from the others. This is called again
    // once that member is gone.
    if (is_anyone_leaving(table, replica.region)) {
      fills_.erase({replica.database, table->schema.name});
      return true;
    }
    const std::vector<TablePtr> members = members_of(parts_.catalog, table, replica.region);
    const TablePtr target = make_table(table, replica, members);
    if (target == nullptr) {
      if (!is_there(table->schema)) return true;
      // Another table of that name was created meanwhile.
      for (const TablePtr& member : members) strike_off(member->schema, replica.region);
    } else if (target->schema.status != ResourceStatus::kDeleting) {
      is_done = fill_some(target, members);
      if (!is_there(table->schema)) {
        take_back(target->schema);
        is_done = true;
      } else if (is_done) {
        complete(target, members);
      }
    }
  } catch (const TableGone&) {
    is_done = true;  // the thread that deletes one of them triggers another look at all
  } catch (const MemoryFull& error) {
    fail(table, replica, error.what());
  } catch (const EngineError& error) {
    fail(table, replica, error.what());
  }
  if (is_done) fills_.erase({replica.database, table->schema.name});
  return is_done;
}

bool ReplicaMaking::is_there(const TableSchema& table) const {
  const TablePtr found = parts_.catalog.find(table.database, table.name);
  return found != nullptr && found->schema.number == table.number &&
         found->schema.status != ResourceStatus::kDeleting;
}

bool ReplicaMaking::is_anyone_leaving(const TablePtr& table, std::string_view except) const {
  const auto knows_one = [&](const TablePtr& member) {
    return std::ranges::any_of(member->schema.global_table->replicas, [&](const Replica& other) {
      if (other.region == except) return false;
      const TablePtr found = partner_of(parts_.catalog, member->schema, other);
      return found != nullptr && (other.status == ReplicaStatus::kDeleting ||
                                  found->schema.status == ResourceStatus::kDeleting ||
                                  found->schema.global_table->is_leaving);
    });
  };
  return std::ranges::any_of(members_of(parts_.catalog, table, except), knows_one);
}

// Every member sends its changes to the new replica before any member is copied. So no change is
// missed that was made in one member and has not reached the others.
void ReplicaMaking::tell_members(const TablePtr& table, const Replica& replica) {
  for (const TablePtr& member : members_of(parts_.catalog, table, replica.region)) {
    if (sends_to(member->schema, replica.region)) continue;
    // Writes made meanwhile are not sent, so the copies made from this member lack them.
    fills_.erase({replica.database, table->schema.name});
    const Catalog::Edited edited =
        parts_.catalog.edit(member->schema.full_name(), [&](TableSchema& schema) {
          if (schema.number != member->schema.number || !is_global_schema(schema)) return false;
          if (sends_to(schema, replica.region)) return false;
          forget_replica(schema, replica.region);
          add_replica(schema, {.region = replica.region,
                               .database = replica.database,
                               .queue_number = 0,
                               .status = ReplicaStatus::kCreating,
                               .settings = replica.settings});
          return true;
        });
    if (edited.table != nullptr) parts_.note(edited.table->schema);
  }
}

// The table of the new replica, which knows all members. nullptr if it cannot exist because its
// source is gone or another table has its name.
TablePtr ReplicaMaking::make_table(const TablePtr& table, const Replica& replica,
                                   const std::vector<TablePtr>& members) {
  std::vector<const TableSchema*> others;
  others.reserve(members.size());
  for (const TablePtr& member : members) others.push_back(&member->schema);
  TablePtr target = parts_.catalog.find(replica.database, table->schema.name);
  if (target != nullptr) {
    const bool joins = is_legacy(table->schema) && !is_global_schema(target->schema);
    if (!joins && partner_of(parts_.catalog, table->schema, replica) == nullptr) return nullptr;
    const bool knows_all = !joins && std::ranges::all_of(others, [&](const TableSchema* other) {
      return target->schema.global_table->find(other->region) != nullptr;
    });
    return knows_all ? target : tell_target(target, table->schema, others);
  }
  if (!is_there(table->schema)) return nullptr;
  target = parts_.catalog.create(replica_schema(table->schema, replica, others));
  if (target == nullptr) return nullptr;
  parts_.note(target->schema);
  if (is_there(table->schema)) return target;
  take_back(target->schema);
  return nullptr;
}

TablePtr ReplicaMaking::tell_target(const TablePtr& target, const TableSchema& table,
                                    const std::vector<const TableSchema*>& others) {
  const Catalog::Edited edited =
      parts_.catalog.edit(target->schema.full_name(), [&](TableSchema& schema) {
        for (const TableSchema* other : others) add_replica(schema, active_replica(*other));
        GlobalTable known = copy_of_global(schema);
        known.version = table.global_table->version;
        known.created = table.global_table->created;
        set_global(schema, std::move(known));
        return true;
      });
  if (edited.table != nullptr) parts_.note(edited.table->schema);
  return edited.table;
}

// Copies a part of one member in a turn.
bool ReplicaMaking::fill_some(const TablePtr& target, const std::vector<TablePtr>& members) {
  Fills& fills = fills_[{target->schema.database, target->schema.name}];
  // A member that is gone has sent changes to the others, perhaps after those were copied.
  const bool is_outdated = std::ranges::any_of(fills, [&](const auto& fill) {
    const auto& [from, to] = fill.first;
    return to != target->schema.number ||
           std::ranges::none_of(members, [number = from](const TablePtr& member) {
             return member->schema.number == number;
           });
  });
  if (is_outdated) fills.clear();
  for (const TablePtr& member : members) {
    fills.try_emplace({member->schema.number, target->schema.number});
  }
  for (const TablePtr& member : members) {
    ReplicaFill::Progress& progress = fills[{member->schema.number, target->schema.number}];
    if (progress.is_whole) continue;
    parts_.fill.fill_some(member, target, progress);
    return false;
  }
  return true;
}

void ReplicaMaking::complete(const TablePtr& target, const std::vector<TablePtr>& members) {
  parts_.lifecycle.update_table(target->schema.full_name(), [](TableSchema& schema) {
    if (!is_global_schema(schema)) return;
    GlobalTable global = copy_of_global(schema);
    global.is_filling = false;
    settle_witness(global);
    set_global(schema, std::move(global));
    if (schema.status == ResourceStatus::kCreating) finish_passing(schema);
  });
  for (const TablePtr& member : members) {
    parts_.lifecycle.update_table(member->schema.full_name(), [&](TableSchema& schema) {
      if (!is_global_schema(schema) || !sends_to(schema, target->schema.region)) return;
      const Replica* known = schema.global_table->find(target->schema.region);
      if (known->status != ReplicaStatus::kCreating) return;
      GlobalTable global = copy_of_global(schema);
      global.find(target->schema.region)->status = ReplicaStatus::kActive;
      settle_witness(global);
      set_global(schema, std::move(global));
    });
  }
}

// Its table is deleted first: if the process ends in between, the replica is made again.
void ReplicaMaking::fail(const TablePtr& table, const Replica& replica, std::string_view why) {
  parts_.report(messages::replica_not_made(table->schema.name, replica.region, why));
  const TablePtr target = partner_of(parts_.catalog, table->schema, replica);
  if (target != nullptr && is_legacy(table->schema)) {
    parts_.lifecycle.update_table(target->schema.full_name(), [&](TableSchema& schema) {
      if (schema.number != target->schema.number) return;
      if (schema.status != ResourceStatus::kDeleting) schema.global_table = nullptr;
    });
  } else if (target != nullptr) {
    take_back(target->schema);
  }
  for (const TablePtr& member : members_of(parts_.catalog, table, replica.region)) {
    parts_.lifecycle.update_table(member->schema.full_name(), [&](TableSchema& schema) {
      if (schema.number == member->schema.number) fail_replica(schema, replica.region);
    });
  }
}

void ReplicaMaking::take_back(const TableSchema& target) {
  const TablePtr found = parts_.catalog.find(target.database, target.name);
  if (found == nullptr || found->schema.number != target.number) return;
  if (!is_global_schema(found->schema) || !found->schema.global_table->is_filling) return;
  parts_.lifecycle.delete_table(found->schema.full_name());
}

void ReplicaMaking::strike_off(const TableSchema& table, std::string_view region) {
  bool is_left_alone = false;
  parts_.lifecycle.update_table(table.full_name(), [&](TableSchema& schema) {
    if (schema.number != table.number || !is_global_schema(schema)) return;
    is_left_alone = schema.global_table->is_filling && schema.global_table->replicas.size() == 1 &&
                    schema.global_table->find(region) != nullptr;
    if (!is_left_alone) remove_replica(schema, region);
  });
  if (is_left_alone) take_back(table);
}

}  // namespace magneto::storage
