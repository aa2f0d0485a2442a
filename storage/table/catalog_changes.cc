#include <algorithm>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/table/catalog.h"

// The changes of tables: each is decided on the stored record, committed, and then published.
namespace magneto::storage {
namespace {

// A random (version 4) UUID.
std::string new_table_id() { return boost::uuids::to_string(boost::uuids::random_generator()()); }

// What a change of a table reads, or writes as other changes do.
std::vector<std::string> keys_of_change(const TableName& name) {
  return {table_record_key(name.database, name.name), counter_key(kTableCounter),
          counter_key(kStreamCounter)};
}

TableName name_in(std::string_view record_key) {
  return {database_of_table(record_key), std::string(table_name_in(record_key))};
}

void append_dropped(Records::Change& records, std::uint32_t table, std::uint16_t index) {
  records.put(dropped_record_key(table, index), "");
}

void append_dropped(Records::Change& records, const TableHistory& history) {
  history.stage_removal(records.batch());
  for (const TableHistory::Segment& segment : history.segments()) {
    append_dropped(records, history.number(), segment.number);
  }
}

// The parts of `previous` that `table`, its next version, no longer has. nullptr: the table is gone.
struct DroppedParts {
  DroppedParts(const Table& previous, const Table* table) {
    for (const auto& index : previous.indexes) {
      if (table != nullptr && table->find_numbered_index(index->schema.number) != nullptr) continue;
      indexes.push_back(index.get());
    }
    if (table == nullptr || table->expiry != previous.expiry) queue = previous.expiry.get();
    replica_trees = dropped_trees(previous.replication.get(),
                                  table == nullptr ? nullptr : table->replication.get());
    if (table == nullptr || table->history != previous.history) history = previous.history;
  }

  bool empty() const {
    return indexes.empty() && queue == nullptr && replica_trees.empty() && history == nullptr;
  }

  // Records to reclaim their data.
  void append(Records::Change& records, std::uint32_t table_number) const {
    for (const Index* index : indexes) append_dropped(records, table_number, index->schema.number);
    if (queue != nullptr) append_dropped(records, table_number, queue->number);
    for (const auto& [number, tree] : replica_trees) append_dropped(records, table_number, number);
    if (history != nullptr) append_dropped(records, *history);
  }

  // Tells those that still use them.
  void retire() const {
    for (const Index* index : indexes) *index->dropped = true;
    if (queue != nullptr) *queue->dropped = true;
    if (history != nullptr) history->retire();
  }

  std::vector<const Index*> indexes;
  const ExpiryQueue* queue = nullptr;
  std::vector<std::pair<std::uint16_t, TreePtr>> replica_trees;
  HistoryPtr history;
};

}  // namespace

void Catalog::publish(const TablePtr& table, const TablePtr& previous) {
  {
    const std::lock_guard lock(mutex_);
    tables_[table->schema.database].insert_or_assign(table->schema.name, table);
  }
  // In this order: a writer that holds a key after one with the new version sees that it is superseded.
  if (previous != nullptr) previous->superseded.store(true, std::memory_order_release);
  published_.publish(table);
  ++change_count_;
  if (previous == nullptr) return;
  DroppedParts(*previous, table.get()).retire();
}

void Catalog::withdraw(const TablePtr& table) {
  const TableName name = table->schema.full_name();
  published_.withdraw(name);
  ++change_count_;
  {
    const std::lock_guard lock(mutex_);
    Tables& tables = tables_.at(name.database);
    tables.erase(tables.find(name.name));
    if (tables.empty()) tables_.erase(name.database);
  }
  table->superseded.store(true, std::memory_order_release);
  DroppedParts(*table, nullptr).retire();
}

TablePtr Catalog::known(const TableName& name) const {
  const Tables& tables = tables_of(name.database);
  const auto found = tables.find(name.name);
  return found == tables.end() ? nullptr : found->second;
}

// Returns the table as it is stored, nullptr if it is not. If another server has changed, made or
// deleted it, this catalog follows first.
TablePtr Catalog::refresh(const TableName& name, Records::Change& records) {
  if (!records_.are_stored()) return known(name);
  return follow_record(name, records.get(table_record_key(name.database, name.name)));
}

TablePtr Catalog::follow_record(const TableName& name, const PinnedValue& record) {
  TablePtr mine = known(name);
  if (!record) {
    if (mine != nullptr) withdraw(mine);
    return nullptr;
  }
  if (mine != nullptr && encode_schema(mine->schema) == record.bytes()) return mine;
  TableSchema schema = decode_schema(record.bytes());
  schema.database = name.database;
  if (mine != nullptr && mine->schema.number != schema.number) {
    withdraw(mine);
    mine = nullptr;
  }
  Logs logs = stored_logs(schema);
  TablePtr stored = build(std::move(schema), mine.get(), std::move(logs));
  publish(stored, mine);
  return stored;
}

void Catalog::take_over_table(const TableName& name) {
  change_mutex_.lock_for_take_over();
  const std::lock_guard changing(change_mutex_, std::adopt_lock);
  follow_record(name, engine_.get(*records_.tree(), table_record_key(name.database, name.name)));
}

void Catalog::take_over(std::span<const std::string> keys) {
  if (keys.empty()) {
    streams_.take_over_all();
    for (const TableName& name : changed_tables()) take_over_table(name);
  }
  for (const std::string& key : keys) {
    if (key.starts_with(kStreamPrefix)) streams_.take_over(key);
    if (key.starts_with(kTablePrefix)) take_over_table(name_in(key));
  }
}

// Those that are not known as they are stored. What changes afterwards is announced.
std::vector<TableName> Catalog::changed_tables() const {
  std::map<std::string, TablePtr> unseen;
  for (TablePtr& table : tables()) {
    std::string key = table_record_key(table->schema.database, table->schema.name);
    unseen.emplace(std::move(key), std::move(table));
  }
  std::vector<TableName> changed;
  const std::string first(kTablePrefix);
  const auto cursor =
      engine_.scan(*records_.tree(), first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    const auto known = unseen.extract(std::string(cursor->key()));
    if (!known || encode_schema(known.mapped()->schema) != cursor->value()) {
      changed.push_back(name_in(cursor->key()));
    }
  }
  for (const auto& [key, table] : unseen) changed.push_back(table->schema.full_name());
  return changed;
}

// The stream that the table has left has a new policy.
void Catalog::announce(const TableName& name, const Table* previous) const {
  if (engine_.group() == nullptr) return;
  std::vector<std::string> keys;
  if (previous != nullptr && previous->stream != nullptr) {
    keys.push_back(stream_key(name.database, previous->stream->description().number));
  }
  keys.push_back(table_record_key(name.database, name.name));
  records_.announce(std::move(keys));
}

// Gives the schema its records and builds its version of the table.
void Catalog::stage_table(TableSchema schema, Staged& staged, Records::Change& records) {
  schema.number_new_indexes();
  const Table* const previous = staged.previous.get();
  Logs logs =
      logs_for(schema, staged.former,
               previous == nullptr ? std::string_view() : previous->schema.stream.label, records);
  staged.table = build(std::move(schema), previous, std::move(logs));
  const TableSchema& built = staged.table->schema;
  if (!records_.are_stored()) return;
  records.put(table_record_key(built.database, built.name), encode_schema(built));
}

TablePtr Catalog::create(TableSchema schema) {
  if (before_create_) before_create_();
  TablePtr table = create_here(schema);
  if (table != nullptr) announce(table->schema.full_name(), nullptr);
  return table;
}

TablePtr Catalog::create_here(const TableSchema& schema) {
  const std::lock_guard changing(change_mutex_);
  const TableName name = schema.full_name();
  Staged staged;
  const bool is_new = records_.change(keys_of_change(name), [&](Records::Change& records) {
    staged = {};
    if (refresh(name, records) != nullptr) return false;
    TableSchema created = schema;
    created.id = new_table_id();
    created.number = records.next_number(counter_key(kTableCounter), last_number_);
    created.created = clock_.epoch_seconds();
    created.partition_count = partition_count(created, created.provisioned);
    stage_table(std::move(created), staged, records);
    return true;
  });
  if (!is_new) return nullptr;
  last_number_ = staged.table->schema.number;
  publish_new({staged.table->stream, staged.table->deliveries}, {});
  publish(staged.table, nullptr);
  return staged.table;
}

// Gives a new history its number.
void Catalog::number_history(Staged& staged, PointInTimeRecovery& recovery,
                             Records::Change& records) const {
  if (!recovery.enabled) {
    recovery.history_number = 0;
    return;
  }
  if (recovery.history_number != 0) return;
  staged.history_number = records.next_number(counter_key(kTableCounter), last_number_);
  recovery.history_number = staged.history_number;
  recovery.since = clock_.epoch_seconds();
}

// Before the table is deleted, or has a newer stream: the previous one stays readable for a day, for
// those whom its policy lets read it. So it gets the policy first.
bool Catalog::must_leave_stream(Staged& staged) const {
  const TableSchema& table = staged.previous->schema;
  if (table.stream.label.empty()) return false;
  StreamPtr stream = streams_.find(table.database, stream_arn(table.arn(), table.stream.label));
  if (stream == nullptr || stream == staged.left || stream->policy() == table.stream_policy) {
    return false;
  }
  staged.stream_to_leave = std::move(stream);
  return true;
}

void Catalog::leave_stream(Staged& staged) {
  staged.left = std::exchange(staged.stream_to_leave, nullptr);
  staged.left->keep_policy(staged.previous->schema.stream_policy);
}

bool Catalog::stage_edit(absl::FunctionRef<bool(TableSchema& schema)> change, Staged& staged,
                         Records::Change& records) {
  const Table& previous = *staged.previous;
  TableSchema schema = previous.schema;
  if (!change(schema)) return false;
  number_history(staged, schema.point_in_time_recovery, records);
  staged.former = {previous.stream, previous.deliveries};
  stage_table(std::move(schema), staged, records);
  const TableSchema& staged_schema = staged.table->schema;
  const bool has_new_stream = staged_schema.stream.label != previous.schema.stream.label;
  if (has_new_stream && must_leave_stream(staged)) return false;
  const DroppedParts dropped(previous, staged.table.get());
  dropped.append(records, staged_schema.number);
  if (!dropped.empty() || staged_schema.status == ResourceStatus::kDeleting) {
    records.batch().set_frees_space();
  }
  return true;
}

Catalog::Edited Catalog::edit(const TableName& name,
                              absl::FunctionRef<bool(TableSchema& schema)> change) {
  Edited edited = edit_here(name, change);
  if (edited.table != nullptr) announce(name, edited.previous.get());
  return edited;
}

Catalog::Edited Catalog::edit_here(const TableName& name,
                                   absl::FunctionRef<bool(TableSchema& schema)> change) {
  const std::lock_guard changing(change_mutex_);
  for (Staged staged;; leave_stream(staged)) {
    const bool is_changed = records_.change(keys_of_change(name), [&](Records::Change& records) {
      staged = {.previous = refresh(name, records), .left = std::move(staged.left)};
      return staged.previous != nullptr && stage_edit(change, staged, records);
    });
    if (is_changed) {
      if (staged.history_number != 0) last_number_ = staged.history_number;
      publish_new({staged.table->stream, staged.table->deliveries}, staged.former);
      publish(staged.table, staged.previous);
      return {std::move(staged.table), std::move(staged.previous)};
    }
    if (staged.stream_to_leave == nullptr) return {nullptr, std::move(staged.previous)};
  }
}

bool Catalog::stage_erasure(std::uint32_t number, MayErase may, Staged& staged,
                            Records::Change& records) {
  const Table& table = *staged.previous;
  if (table.schema.number != number || !may(table.schema)) return false;
  if (must_leave_stream(staged)) return false;
  records.remove(table_record_key(table.schema.database, table.schema.name));
  append_dropped(records, number, 0);
  DroppedParts(table, nullptr).append(records, number);
  records.batch().set_frees_space();
  return true;
}

TablePtr Catalog::erase(const TableName& name, std::uint32_t number, MayErase may) {
  TablePtr table = erase_here(name, number, may);
  if (table != nullptr) announce(name, table.get());
  return table;
}

TablePtr Catalog::erase_here(const TableName& name, std::uint32_t number, MayErase may) {
  const std::lock_guard changing(change_mutex_);
  for (Staged staged;; leave_stream(staged)) {
    const bool is_erased = records_.change(keys_of_change(name), [&](Records::Change& records) {
      staged = {.previous = refresh(name, records), .left = std::move(staged.left)};
      return staged.previous != nullptr && stage_erasure(number, may, staged, records);
    });
    if (is_erased) {
      withdraw(staged.previous);
      return std::move(staged.previous);
    }
    if (staged.stream_to_leave == nullptr) return nullptr;
  }
}

}  // namespace magneto::storage
