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

// The state after the passing ones. An index that was added to a table is to be filled now, which
// takes longer; DELETING of a table ends with the table.
void finish(TableSchema& schema) {
  std::erase_if(schema.indexes,
                [](const IndexSchema& index) { return index.status == ResourceStatus::kDeleting; });
  const bool with_table = schema.status == ResourceStatus::kCreating;
  for (IndexSchema& index : schema.indexes) {
    if (!is_passing(index)) continue;
    if (index.status == ResourceStatus::kCreating && !with_table) index.backfilling = true;
    index.status = index.backfilling ? ResourceStatus::kCreating : ResourceStatus::kActive;
  }
  if (schema.status != ResourceStatus::kDeleting) schema.status = ResourceStatus::kActive;
}

bool is_passing(const TimeToLive& time_to_live) {
  return time_to_live.status == TimeToLiveStatus::kEnabling ||
         time_to_live.status == TimeToLiveStatus::kDisabling;
}

// The state after the passing ones; filling the queue may take longer.
void finish(TimeToLive& time_to_live) {
  if (time_to_live.status == TimeToLiveStatus::kEnabling) {
    time_to_live.status = TimeToLiveStatus::kEnabled;
  } else if (time_to_live.status == TimeToLiveStatus::kDisabling) {
    time_to_live = {};
  }
}

// Gives time to live that was just enabled a new queue, and takes it from one just disabled.
bool renew_expiry_queue(TableSchema& schema) {
  TimeToLive& time_to_live = schema.time_to_live;
  if (time_to_live.status == TimeToLiveStatus::kDisabling) {
    time_to_live.queue_number = 0;
    time_to_live.backfilling = false;
  }
  if (time_to_live.status != TimeToLiveStatus::kEnabling || time_to_live.queue_number != 0) {
    return false;
  }
  time_to_live.queue_number = schema.take_index_number();
  time_to_live.backfilling = true;
  return true;
}

IndexSchema* find_by_number(TableSchema& schema, std::uint16_t number) {
  const auto found = std::ranges::find(schema.indexes, number, &IndexSchema::number);
  return found == schema.indexes.end() ? nullptr : &*found;
}

}  // namespace

TableLifecycle::TableLifecycle(const Parts& parts, std::chrono::milliseconds delay,
                               bool delays_whole_tables)
    : engine_(parts.engine),
      clock_(parts.clock),
      catalog_(parts.catalog),
      expiry_timer_(parts.expiry_timer),
      timers_(parts.timers),
      jobs_(parts.jobs),
      backfill_(parts.engine, parts.changes, parts.replicator, parts.room, parts.clock),
      expiry_backfill_(parts.engine, parts.expiry_timer),
      delay_(delay),
      delays_whole_tables_(delays_whole_tables) {}

void TableLifecycle::resume() {
  for (const Catalog::Dropped& dropped : catalog_.dropped()) {
    const std::string prefix = tree_prefix(dropped.table_number, dropped.index_number);
    if (dropped.index_number == 0) {
      reclaim(dropped, {engine_.open_tree(ColumnFamily::kItems, prefix)});
    } else {  // an index or an expiry queue
      reclaim(dropped, {engine_.open_tree(ColumnFamily::kIndexes, prefix),
                        engine_.open_tree(ColumnFamily::kExpiry, prefix)});
    }
  }
  for (const TablePtr& table : catalog_.tables()) {
    const TableSchema& schema = table->schema;
    if (schema.status == ResourceStatus::kDeleting) {
      erase_table(schema.full_name(), schema.number);
      continue;
    }
    if (is_passing(schema)) finish_transitions(schema.full_name(), schema.number);
    for (const IndexSchema& index : schema.indexes) {
      if (index.backfilling) fill_later(schema, index.number);
    }
    if (is_passing(schema.time_to_live)) {
      finish_time_to_live(schema.full_name(), schema.time_to_live, schema.number);
    }
    if (schema.time_to_live.backfilling) fill_expiry_queue_later(schema);
  }
}

TablePtr TableLifecycle::create_table(TableSchema schema) {
  const ResourceStatus status =
      delays_tables() ? ResourceStatus::kCreating : ResourceStatus::kActive;
  schema.status = status;
  for (IndexSchema& index : schema.indexes) {
    index.status = status;
    index.backfilling = false;
  }
  TablePtr table = catalog_.create(std::move(schema));
  if (table != nullptr && delays_tables()) finish_later(table->schema);
  return table;
}

TablePtr TableLifecycle::delete_table(const TableName& name) {
  if (!delays_tables()) {
    while (const TablePtr table = catalog_.find(name.database, name.name)) {
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
  post_at(clock_.now() + delay_, [this, name, number = edited.table->schema.number](
                                     const std::stop_token&) { erase_table(name, number); });
  return edited.table;
}

TablePtr TableLifecycle::update_table(const TableName& name,
                                      absl::FunctionRef<void(TableSchema&)> change) {
  TableSchema requested;
  std::vector<std::uint16_t> added;
  bool has_new_queue = false;
  const Catalog::Edited edited = catalog_.edit(name, [&](TableSchema& schema) {
    change(schema);
    for (IndexSchema& index : schema.indexes) {
      if (index.number == 0) {
        index.number = schema.take_index_number();
        index.status = ResourceStatus::kCreating;
        added.push_back(index.number);
      }
    }
    const bool drops = std::ranges::any_of(schema.indexes, [](const IndexSchema& index) {
      return index.status == ResourceStatus::kDeleting;
    });
    const bool deleting = schema.status == ResourceStatus::kDeleting;
    if ((drops || !added.empty()) && !deleting) schema.status = ResourceStatus::kUpdating;
    has_new_queue = renew_expiry_queue(schema);
    requested = schema;
    if (!has_delay()) {
      finish(schema);
      finish(schema.time_to_live);
    }
    return true;
  });
  if (edited.table == nullptr) return nullptr;
  reclaim_dropped(edited);
  close_replaced_stream(edited);
  if (!has_delay()) {
    for (const std::uint16_t number : added) fill_later(requested, number);
  }
  if (has_new_queue) fill_expiry_queue_later(requested);
  if (has_delay() && is_passing(requested.time_to_live)) finish_time_to_live_later(requested);
  if (!is_passing(requested)) return edited.table;
  if (has_delay()) {
    finish_later(requested);
    return edited.table;
  }
  requested.stream = edited.table->schema.stream;  // with the label it was given
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
  post_at(clock_.now() + delay_, [this, name = schema.full_name(), number = schema.number](
                                     const std::stop_token&) { finish_transitions(name, number); });
}

void TableLifecycle::finish_transitions(const TableName& name, std::uint32_t number) {
  const Catalog::Edited edited = catalog_.edit(name, [&](TableSchema& schema) {
    if (schema.number != number || !is_passing(schema)) return false;
    finish(schema);
    return true;
  });
  reclaim_dropped(edited);
  if (edited.table == nullptr) return;
  for (const IndexSchema& index : edited.table->schema.indexes) {
    const IndexSchema* before = edited.previous->schema.find_index(index.name);
    if (index.backfilling && !before->backfilling) fill_later(edited.table->schema, index.number);
  }
}

TablePtr TableLifecycle::erase_table(const TableName& name, std::uint32_t number) {
  TablePtr table = catalog_.erase(name, number);
  if (table == nullptr) return nullptr;
  if (table->stream != nullptr) close_stream(table->stream);
  reclaim({number, 0}, table->partitions.trees());
  for (const auto& index : table->indexes) reclaim_index(number, *index);
  if (table->expiry != nullptr) reclaim({number, table->expiry->number}, {table->expiry->tree});
  return table;
}

void TableLifecycle::fill_later(const TableSchema& schema, std::uint16_t index_number) {
  jobs_.post([this, name = schema.full_name(), number = schema.number, index_number,
              not_before = clock_.now() + delay_](const std::stop_token& stop) {
    fill_index(name, number, index_number, not_before, stop);
  });
}

void TableLifecycle::fill_index(const TableName& name, std::uint32_t table_number,
                                std::uint16_t index_number, Clock::TimePoint not_before,
                                const std::stop_token& stop) {
  const TablePtr table = catalog_.find(name.database, name.name);
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

void TableLifecycle::finish_index(const TableName& name, std::uint32_t table_number,
                                  std::uint16_t index_number) {
  catalog_.edit(name, [&](TableSchema& schema) {
    IndexSchema* index = find_by_number(schema, index_number);
    if (schema.number != table_number || index == nullptr || !index->backfilling) return false;
    index->backfilling = false;
    if (index->status == ResourceStatus::kCreating) index->status = ResourceStatus::kActive;
    return true;
  });
}

void TableLifecycle::finish_time_to_live_later(const TableSchema& schema) {
  post_at(clock_.now() + delay_,
          [this, name = schema.full_name(), passing = schema.time_to_live, number = schema.number](
              const std::stop_token&) { finish_time_to_live(name, passing, number); });
}

void TableLifecycle::finish_time_to_live(const TableName& name, const TimeToLive& passing,
                                         std::uint32_t table_number) {
  catalog_.edit(name, [&](TableSchema& schema) {
    if (schema.number != table_number || schema.time_to_live.status != passing.status) return false;
    finish(schema.time_to_live);
    return true;
  });
  // What has expired meanwhile is deleted now.
  if (passing.status == TimeToLiveStatus::kEnabling) expiry_timer_.note(0);
}

void TableLifecycle::fill_expiry_queue_later(const TableSchema& schema) {
  jobs_.post([this, name = schema.full_name(), number = schema.number,
              queue_number = schema.time_to_live.queue_number](const std::stop_token& stop) {
    fill_expiry_queue(name, number, queue_number, stop);
  });
}

void TableLifecycle::fill_expiry_queue(const TableName& name, std::uint32_t table_number,
                                       std::uint16_t queue_number, const std::stop_token& stop) {
  const auto is_backfilling = [&](const TableSchema& schema) {
    return schema.number == table_number && schema.time_to_live.queue_number == queue_number &&
           schema.time_to_live.backfilling;
  };
  const TablePtr table = catalog_.find(name.database, name.name);
  if (table == nullptr || !is_backfilling(table->schema)) return;
  if (!expiry_backfill_.fill(*table, stop)) return;
  catalog_.edit(name, [&](TableSchema& schema) {
    if (!is_backfilling(schema)) return false;
    schema.time_to_live.backfilling = false;
    return true;
  });
}

void TableLifecycle::close_replaced_stream(const Catalog::Edited& edited) {
  const StreamPtr& stream = edited.previous->stream;
  if (stream != nullptr && stream != edited.table->stream) close_stream(stream);
}

// The table has let the stream go; what may still add to it are the writers of this moment.
void TableLifecycle::close_stream(const StreamPtr& stream) {
  engine_.wait_for_open_scopes();
  try {
    stream->close();
  } catch (const EngineError&) {
    timers_.post([stream](const std::stop_token&) { stream->close(); });
  }
}

StreamStatus TableLifecycle::stream_status(const StreamLog& stream) const {
  const StreamSchema schema = stream.schema();
  const bool is_closed = schema.closed != 0;
  const std::int64_t since = is_closed ? schema.closed : schema.created;
  const bool is_passing = milliseconds_of(clock_.now() - delay_) < since;
  if (is_closed) return is_passing ? StreamStatus::kDisabling : StreamStatus::kDisabled;
  return is_passing ? StreamStatus::kEnabling : StreamStatus::kEnabled;
}

void TableLifecycle::reclaim_dropped(const Catalog::Edited& edited) {
  if (edited.table == nullptr) return;
  const std::uint32_t number = edited.table->schema.number;
  for (const auto& index : edited.previous->indexes) {
    if (index->dropped->load()) reclaim_index(number, *index);
  }
  const auto& expiry = edited.previous->expiry;
  if (expiry != nullptr && expiry->dropped->load()) {
    reclaim({number, expiry->number}, {expiry->tree});
  }
}

void TableLifecycle::reclaim_index(std::uint32_t table_number, const Index& index) {
  reclaim({table_number, index.schema.number}, index.store->partitions().trees(), index.applier);
}

void TableLifecycle::reclaim(Catalog::Dropped dropped, std::vector<TreePtr> trees,
                             std::shared_ptr<IndexApplier> applier) {
  jobs_.post([this, dropped, trees = std::move(trees),
              applier = std::move(applier)](const std::stop_token&) {
    engine_.wait_for_open_scopes();
    if (applier != nullptr) applier->wait_for_dropped();
    for (const TreePtr& tree : trees) engine_.clear(*tree);
    for (const TreePtr& tree : trees) engine_.reclaim(*tree);
    catalog_.forget(dropped);
  });
}

}  // namespace magneto::storage
