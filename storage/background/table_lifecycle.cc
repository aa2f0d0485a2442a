#include "storage/background/table_lifecycle.h"

#include <exception>
#include <utility>

#include "storage/background/table_statuses.h"
#include "storage/model/global_table.h"

namespace magneto::storage {

TableLifecycle::TableLifecycle(Catalog& catalog, ControlPlaneDelay& delay, bool delays_whole_tables,
                               FollowUps follow_ups)
    : catalog_(catalog),
      delay_(delay),
      delays_whole_tables_(delays_whole_tables),
      follow_ups_(std::move(follow_ups)) {}

void TableLifecycle::resume() {
  for (TableFollowUp* follow_up : follow_ups_) follow_up->resume();
  for (const TablePtr& table : catalog_.tables()) {
    const TableSchema& schema = table->schema;
    if (schema.status == ResourceStatus::kDeleting) {
      if (!has_replicas(schema)) erase_table(schema.full_name(), schema.number);
    } else if (is_passing(schema)) {
      finish_transitions(schema.full_name(), schema.number);
    }
  }
}

TablePtr TableLifecycle::create_table(TableSchema schema) {
  set_all_statuses(schema, delays_tables() ? ResourceStatus::kCreating : ResourceStatus::kActive);
  TablePtr table = catalog_.create(std::move(schema));
  if (table != nullptr && delays_tables()) finish_later(table->schema);
  return table;
}

TablePtr TableLifecycle::delete_table(const TableName& name, CheckDeletion check) {
  const auto goes_at_once = [&](const TableSchema& schema) {
    check(schema);
    return !has_replicas(schema);
  };
  while (const TablePtr table = catalog_.find(name.database, name.name)) {
    if (delays_tables() || has_replicas(table->schema)) return begin_deletion(name, check);
    const TablePtr last = erase_table(name, table->schema.number, goes_at_once);
    if (last == nullptr) continue;  // another thread was faster
    TableSchema schema = last->schema;
    schema.status = ResourceStatus::kDeleting;
    return Catalog::describe(std::move(schema), *last);
  }
  return nullptr;
}

// Nothing is written to the table from now on.
TablePtr TableLifecycle::begin_deletion(const TableName& name, CheckDeletion check) {
  bool began = false;
  const Catalog::Edited edited = catalog_.edit(name, [&](TableSchema& schema) {
    check(schema);
    began = schema.status != ResourceStatus::kDeleting;
    schema.status = ResourceStatus::kDeleting;
    return began;
  });
  if (!began) return edited.previous;
  if (has_replicas(edited.table->schema)) {
    follow(edited);
  } else {
    finish_deletion(name, edited.table->schema.number);
  }
  return edited.table;
}

void TableLifecycle::finish_deletion(const TableName& name, std::uint32_t number) {
  if (!delays_tables()) {
    erase_table(name, number);
    return;
  }
  delay_.run_at_end([this, name, number](const std::stop_token&) { erase_table(name, number); });
}

TablePtr TableLifecycle::update_table(const TableName& name,
                                      absl::FunctionRef<void(TableSchema&)> change) {
  TableSchema requested;
  bool in_steps = false;
  const Catalog::Edited edited = catalog_.edit(name, [&](TableSchema& schema) {
    change(schema);
    begin_passing(schema);
    requested = schema;
    in_steps = delay_.is_set() || (catalog_.is_shared() && has_new_index(schema));
    if (!in_steps) {
      finish_passing(schema);
      finish_passing(schema.time_to_live);
    }
    return true;
  });
  if (edited.table == nullptr) return nullptr;
  if (delay_.is_set() && is_passing(requested)) finish_later(requested);
  follow(edited);
  // All servers know a new index by now.
  if (in_steps && !delay_.is_set()) finish_transitions(name, requested.number);
  if (delay_.is_set() || !is_passing(requested)) return edited.table;
  requested.stream = edited.table->schema.stream;  // with its assigned label
  return Catalog::describe(std::move(requested), *edited.table, edited.previous.get());
}

void TableLifecycle::finish_later(const TableSchema& schema) {
  delay_.run_at_end([this, name = schema.full_name(), number = schema.number](
                        const std::stop_token&) { finish_transitions(name, number); });
}

void TableLifecycle::finish_transitions(const TableName& name, std::uint32_t number) {
  const Catalog::Edited edited = catalog_.edit(name, [&](TableSchema& schema) {
    if (schema.number != number || !is_passing(schema)) return false;
    finish_passing(schema);
    return true;
  });
  if (edited.table != nullptr) follow(edited);
}

TablePtr TableLifecycle::erase_table(const TableName& name, std::uint32_t number,
                                     Catalog::MayErase may) {
  TablePtr table = catalog_.erase(name, number, may);
  if (table == nullptr) return nullptr;
  for_each_follow_up([&](TableFollowUp& follow_up) { follow_up.drop(*table); });
  return table;
}

void TableLifecycle::follow(const Catalog::Edited& edited) {
  for_each_follow_up([&](TableFollowUp& follow_up) { follow_up.follow(edited); });
}

// The change is final and is not repeated. So all follow-ups are called, and the first failure is
// thrown after the last.
void TableLifecycle::for_each_follow_up(absl::FunctionRef<void(TableFollowUp&)> action) {
  std::exception_ptr failure;
  for (TableFollowUp* follow_up : follow_ups_) {
    try {
      action(*follow_up);
    } catch (...) {
      if (failure == nullptr) failure = std::current_exception();
    }
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace magneto::storage
