#include "storage/background/table_lifecycle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kClockPoll{20};

bool is_passing(const IndexSchema& index) {
  return index.status == ResourceStatus::kUpdating || index.status == ResourceStatus::kDeleting ||
         (index.status == ResourceStatus::kCreating && !index.backfilling);
}

bool is_passing(const TableSchema& schema) {
  return schema.status == ResourceStatus::kCreating || schema.status == ResourceStatus::kUpdating ||
         std::ranges::any_of(schema.indexes, [](const auto& index) { return is_passing(index); });
}

// The state after the passing ones; only filling an index takes longer, and DELETING of a table
// ends with the table.
void finish(TableSchema& schema) {
  std::erase_if(schema.indexes,
                [](const IndexSchema& index) { return index.status == ResourceStatus::kDeleting; });
  for (IndexSchema& index : schema.indexes) {
    if (is_passing(index)) index.status = ResourceStatus::kActive;
  }
  if (schema.status != ResourceStatus::kDeleting) schema.status = ResourceStatus::kActive;
}

IndexSchema* find_by_number(TableSchema& schema, std::uint16_t number) {
  const auto found = std::ranges::find(schema.indexes, number, &IndexSchema::number);
  return found == schema.indexes.end() ? nullptr : &*found;
}

}  // namespace

TableLifecycle::TableLifecycle(const Parts& parts, std::chrono::milliseconds delay)
    : engine_(parts.engine),
      clock_(parts.clock),
      catalog_(parts.catalog),
      replicator_(parts.replicator),
      timers_(parts.timers),
      jobs_(parts.jobs),
      backfill_(parts.engine, parts.queue, parts.replicator, parts.clock),
      delay_(delay) {}

void TableLifecycle::resume() {
  for (const Catalog::Dropped& dropped : catalog_.dropped()) {
    const Family family = dropped.index_number == 0 ? Family::kItems : Family::kIndexes;
    reclaim(dropped,
            {engine_.open_tree(family, tree_prefix(dropped.table_number, dropped.index_number))});
  }
  for (const TablePtr& table : catalog_.tables()) {
    const TableSchema& schema = table->schema;
    if (schema.status == ResourceStatus::kDeleting) {
      erase_table(schema.name, schema.number);
      continue;
    }
    if (is_passing(schema)) finish_transitions(schema.name, schema.number);
    for (const IndexSchema& index : schema.indexes) {
      if (index.backfilling) fill_later(schema, index.number);
    }
  }
}

TablePtr TableLifecycle::create_table(TableSchema schema) {
  const ResourceStatus status = has_delay() ? ResourceStatus::kCreating : ResourceStatus::kActive;
  schema.status = status;
  for (IndexSchema& index : schema.indexes) {
    index.status = status;
    index.backfilling = false;
  }
  TablePtr table = catalog_.create(std::move(schema));
  if (table != nullptr && has_delay()) finish_later(table->schema);
  return table;
}

TablePtr TableLifecycle::delete_table(std::string_view name) {
  if (!has_delay()) {
    while (const TablePtr table = catalog_.find(name)) {
      const TablePtr last = erase_table(name, table->schema.number);
      if (last == nullptr) continue;  // another thread was faster
      TableSchema schema = last->schema;
      schema.status = ResourceStatus::kDeleting;
      return Catalog::describe(std::move(schema), *last);
    }
    return nullptr;
  }
  bool began = false;
  const Catalog::Edited edited = catalog_.edit(name, [&](TableSchema& schema) {
    began = schema.status != ResourceStatus::kDeleting;
    schema.status = ResourceStatus::kDeleting;
    return began;
  });
  if (!began) return edited.previous;
  post_at(clock_.now() + delay_,
          [this, table = std::string(name), number = edited.table->schema.number](
              const std::stop_token&) { erase_table(table, number); });
  return edited.table;
}

TablePtr TableLifecycle::update_table(std::string_view name,
                                      absl::FunctionRef<void(TableSchema&)> change) {
  TableSchema requested;
  std::vector<std::uint16_t> added;
  const Catalog::Edited edited = catalog_.edit(name, [&](TableSchema& schema) {
    change(schema);
    for (IndexSchema& index : schema.indexes) {
      if (index.number == 0) {
        index.number = schema.next_index_number++;
        index.status = ResourceStatus::kCreating;
        index.backfilling = true;
        added.push_back(index.number);
      }
    }
    const bool drops = std::ranges::any_of(schema.indexes, [](const IndexSchema& index) {
      return index.status == ResourceStatus::kDeleting;
    });
    const bool deleting = schema.status == ResourceStatus::kDeleting;
    if ((drops || !added.empty()) && !deleting) schema.status = ResourceStatus::kUpdating;
    requested = schema;
    if (!has_delay()) finish(schema);
    return true;
  });
  if (edited.table == nullptr) return nullptr;
  reclaim_dropped_indexes(edited);
  for (const std::uint16_t number : added) fill_later(requested, number);
  if (!is_passing(requested)) return edited.table;
  if (has_delay()) {
    finish_later(requested);
    return edited.table;
  }
  return Catalog::describe(std::move(requested), *edited.table, edited.previous.get());
}

void TableLifecycle::post_at(Clock::TimePoint due, Worker::Task task) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - clock_.now());
  timers_.post_after(std::clamp(left, std::chrono::milliseconds(0), kClockPoll),
                     [this, due, task = std::move(task)](const std::stop_token& stop) {
                       if (clock_.now() < due) return post_at(due, task);
                       task(stop);
                     });
}

void TableLifecycle::finish_later(const TableSchema& schema) {
  post_at(clock_.now() + delay_, [this, name = schema.name, number = schema.number](
                                     const std::stop_token&) { finish_transitions(name, number); });
}

void TableLifecycle::finish_transitions(const std::string& name, std::uint32_t number) {
  reclaim_dropped_indexes(catalog_.edit(name, [&](TableSchema& schema) {
    if (schema.number != number || !is_passing(schema)) return false;
    finish(schema);
    return true;
  }));
}

TablePtr TableLifecycle::erase_table(std::string_view name, std::uint32_t number) {
  TablePtr table = catalog_.erase(name, number);
  if (table == nullptr) return nullptr;
  reclaim({number, 0}, table->partitions.trees());
  for (const auto& index : table->indexes) {
    reclaim({number, index->schema.number}, index->partitions.trees());
  }
  return table;
}

void TableLifecycle::fill_later(const TableSchema& schema, std::uint16_t index_number) {
  jobs_.post([this, name = schema.name, number = schema.number, index_number,
              not_before = clock_.now() + delay_](const std::stop_token& stop) {
    fill_index(name, number, index_number, not_before, stop);
  });
}

void TableLifecycle::fill_index(const std::string& name, std::uint32_t table_number,
                                std::uint16_t index_number, Clock::TimePoint not_before,
                                const std::stop_token& stop) {
  const TablePtr table = catalog_.find(name);
  if (table == nullptr || table->schema.number != table_number) return;
  const auto index = std::ranges::find_if(table->indexes, [&](const auto& candidate) {
    return candidate->schema.number == index_number;
  });
  if (index == table->indexes.end() || !(*index)->schema.backfilling) return;
  if (!backfill_.fill(*table, *index, stop)) return;
  if (clock_.now() >= not_before) return finish_index(name, table_number, index_number);
  post_at(not_before, [this, name, table_number, index_number](const std::stop_token&) {
    finish_index(name, table_number, index_number);
  });
}

void TableLifecycle::finish_index(const std::string& name, std::uint32_t table_number,
                                  std::uint16_t index_number) {
  catalog_.edit(name, [&](TableSchema& schema) {
    IndexSchema* index = find_by_number(schema, index_number);
    if (schema.number != table_number || index == nullptr || !index->backfilling) return false;
    index->backfilling = false;
    if (index->status == ResourceStatus::kCreating) index->status = ResourceStatus::kActive;
    return true;
  });
}

void TableLifecycle::reclaim_dropped_indexes(const Catalog::Edited& edited) {
  if (edited.table == nullptr) return;
  for (const auto& index : edited.previous->indexes) {
    if (!index->dropped->load()) continue;
    reclaim({edited.table->schema.number, index->schema.number}, index->partitions.trees());
  }
}

void TableLifecycle::reclaim(Catalog::Dropped dropped, std::vector<TreePtr> trees) {
  jobs_.post([this, dropped, trees = std::move(trees)](const std::stop_token&) {
    engine_.wait_for_open_scopes();
    replicator_.wait_for_dropped();
    for (const TreePtr& tree : trees) engine_.clear(*tree);
    catalog_.forget(dropped);
  });
}

}  // namespace magneto::storage
