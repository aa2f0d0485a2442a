#include "storage/database.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>

#include "absl/cleanup/cleanup.h"
#include "storage/database_store.h"
#include "storage/index/vector_index.h"
#include "storage/model/global_table.h"
#include "storage/model/narrow.h"
#include "storage/table/item_reader.h"
#include "storage/table/replica_members.h"

namespace magneto::storage {

TablePtr Database::find_table(std::string_view name) const {
  return store_.catalog.find(number_, name);
}

std::vector<std::string> Database::list_tables(std::string_view exclusive_start,
                                               std::size_t limit) const {
  return store_.catalog.list(number_, exclusive_start, limit);
}

std::size_t Database::table_count() const { return store_.catalog.size(number_); }

TablePtr Database::create_table(TableSchema schema) {
  if (number_ == kEmptyNumber) throw std::logic_error("a table made where none can be");
  Effort::before_waiting();
  schema.database = number_;
  return store_.lifecycle.create_table(std::move(schema));
}

TablePtr Database::delete_table(std::string_view name,
                                absl::FunctionRef<void(const TableSchema& schema)> check) {
  Effort::before_waiting();
  return store_.restores.when_unread([&] {
    return store_.lifecycle.delete_table(
        {number_, std::string(name)}, [&](const TableSchema& schema) {
          check(schema);
          store_.restores.require_unread(schema.point_in_time_recovery.history_number);
        });
  });
}

TablePtr Database::update_table(std::string_view name,
                                absl::FunctionRef<void(TableSchema& schema)> change) {
  Effort::before_waiting();
  return store_.restores.when_unread([&] { return update_unread(name, change); });
}

TablePtr Database::update_unread(std::string_view name,
                                 absl::FunctionRef<void(TableSchema& schema)> change) {
  return store_.lifecycle.update_table({number_, std::string(name)}, [&](TableSchema& schema) {
    const std::uint32_t history = schema.point_in_time_recovery.history_number;
    const std::optional<TableSchema> before =
        schema.global_table == nullptr ? std::nullopt : std::optional(schema);
    change(schema);
    if (!schema.point_in_time_recovery.enabled) store_.restores.require_unread(history);
    if (!before) return;
    record_new_settings(*before, schema, store_.clock.now().time_since_epoch().count());
    require_newest_settings(store_.catalog, *before, schema);
  });
}

bool Database::reads_are_stale() const { return store_.stale_reads.is_on(); }

ReadView Database::stale_view() { return store_.stale_reads.choose(); }

StoredItem Database::get(const Table& table, std::string_view key, const ReadView& view) {
  return read_item(view.or_newest(*store_.engine), table, key);
}

std::vector<StoredItem> Database::get_each(const Table& table,
                                           std::span<const std::string_view> keys,
                                           const ReadView& view) {
  return read_each(view.or_newest(*store_.engine), table, keys);
}

WriteOutcome Database::write(const ItemWrite& write) {
  store_.before_write();
  WriteOutcome outcome = store_.writer.write(write);
  store_.after_write();
  return outcome;
}

std::vector<WriteOutcome> Database::write_all(std::span<const ItemWrite> writes) {
  store_.before_write();
  std::vector<WriteOutcome> outcomes = store_.writer.write_all(writes);
  store_.after_write();
  return outcomes;
}

std::vector<WriteOutcome> Database::write_all_in_turn(std::span<const ItemWrite> writes) {
  store_.before_write();
  std::vector<WriteOutcome> outcomes = store_.writer.write_all_in_turn(writes);
  store_.after_write();
  return outcomes;
}

TransactionResult Database::transact(const TransactionRequest& request) {
  store_.before_write();
  TransactionResult result = store_.transactions.run(request, number_);
  store_.after_write();
  return result;
}

std::vector<bool> Database::conflicts(std::span<const std::string_view> keys) const {
  return store_.claims.conflicts(keys);
}

std::vector<StoredItem> Database::get_all(
    std::span<const std::pair<const Table*, std::string_view>> keys) {
  return read_items(*store_.engine, keys);
}

std::vector<std::shared_ptr<const StreamLog>> Database::list_streams(
    std::string_view table_name, std::string_view exclusive_start, std::size_t limit) const {
  return store_.catalog.streams().list(number_, table_name, exclusive_start, limit);
}

std::shared_ptr<const StreamLog> Database::find_stream(std::string_view arn) const {
  return store_.catalog.streams().find(number_, arn);
}

StreamStatus Database::stream_status(const StreamLog& stream) const {
  return store_.streams.status(stream);
}

bool Database::is_within_delay(double began) const {
  const std::chrono::duration<double> since_epoch(began);
  return store_.delay.is_set() && store_.delay.lasts_since(Clock::TimePoint(
                                      std::chrono::round<Clock::Duration>(since_epoch)));
}

bool Database::refresh_table(std::string_view name) {
  if (!is_shared()) return false;
  Effort::before_waiting();
  store_.catalog.take_over_table({number_, std::string(name)});
  return true;
}

TablePtr Database::find_or_refresh_table(std::string_view name) {
  TablePtr table = find_table(name);
  if (table == nullptr && refresh_table(name)) table = find_table(name);
  return table;
}

void Database::await_servers(std::string_view name) {
  if (!is_shared()) return;
  Effort::before_waiting();
  store_.catalog.announce({number_, std::string(name)}, nullptr);
}

bool Database::is_shared() const { return store_.duties != nullptr; }

void Database::refresh_statistics(const Table& table) { store_.statistics.refresh(table); }

BackupResult Database::create_backup(const TablePtr& table, std::string_view name) {
  Effort::before_waiting();
  return store_.backup_copies.begin(table, name);
}

BackupPtr Database::find_backup(std::string_view arn) const {
  return store_.backups.find(number_, arn);
}

std::vector<BackupPtr> Database::list_backups(const BackupFilter& filter, std::size_t limit) const {
  return store_.backups.list(number_, filter, limit);
}

BackupResult Database::delete_backup(std::string_view arn) {
  Effort::before_waiting();
  return store_.backups.remove(number_, arn);
}

RestoreResult Database::restore_table(const BackupPtr& backup, TableSchema schema) {
  Effort::before_waiting();
  schema.database = number_;
  return store_.restores.begin(backup, std::move(schema));
}

std::optional<RecoveryWindow> Database::recovery_window(const Table& table) const {
  const TablePtr current = store_.catalog.current(table);
  if (current == nullptr || current->history == nullptr) return std::nullopt;
  return current->history->window(current->schema.point_in_time_recovery.recovery_days);
}

RestoreResult Database::restore_table(const Table& source, std::optional<double> time,
                                      TableSchema schema) {
  Effort::before_waiting();
  schema.database = number_;
  std::optional<Clock::TimePoint> point;
  if (time) point = time_of(*time);
  return store_.restores.begin(source, point, std::move(schema));
}

AsOfView Database::read_as_of(const Table& table, std::optional<double> time) {
  Effort::before_waiting();
  std::optional<Clock::TimePoint> point;
  if (time) point = time_of(*time);
  return storage::read_as_of(*store_.engine, store_.catalog, table, point);
}

PeriodView Database::see_period(const Table& table, double from, std::optional<double> to) {
  Effort::before_waiting();
  std::optional<Clock::TimePoint> end;
  if (to) end = time_of(*to);
  return storage::see_period(*store_.engine, store_.catalog, table, time_of(from), end);
}

std::int64_t Database::collection_size(const Table& table, AttributeView partition) {
  return store_.writer.collections().size(table, partition);
}

ItemCursor Database::scan(const Table& table, const Index* index, KeyRange range,
                          Direction direction, ScanHint hint, const ReadView& view) {
  const Reader& reader = view.or_newest(*store_.engine);
  if (index == nullptr) {
    return ItemCursor(reader, table.partitions, std::move(range), direction, hint);
  }
  if (index->applier != nullptr && !store_.lag.is_on() && view.is_newest()) {
    store_.replicator.try_to_settle(*index->applier);
  }
  return ItemCursor(reader, index->store->partitions(), std::move(range), direction, hint);
}

std::vector<VectorResult> Database::search_vectors(const Table& table, const Index& index,
                                                   const VectorSearch& search, Effort& effort) {
  auto& vectors = static_cast<VectorIndex&>(*index.store);  // the caller guarantees the kind
  if (!store_.lag.is_on()) store_.replicator.try_to_settle(*index.applier);
  if (!vectors.is_loaded()) {
    effort.leave();
    const auto entries =
        static_cast<std::size_t>(std::max<std::int64_t>(index.statistics->item_count.load(), 0));
    const auto bytes = narrow<std::int64_t>(entries * vectors.bytes_of_a_vector());
    if (!room().take(bytes)) throw MemoryFull(0, room().refusal());
    absl::Cleanup not_used = [&] { room().give_back(bytes); };
    const CountPauses::Pause pause(store_.count_pauses);
    if (vectors.load(table.schema, table.partitions, effort)) std::move(not_used).Cancel();
  }
  std::vector<VectorResult> results;
  for (VectorMatch& match : vectors.search(search, effort)) {
    results.push_back({.item = StoredItem(std::move(match.entry)),
                       .vector = std::move(match.vector),
                       .score = match.score});
  }
  return results;
}

const Clock& Database::clock() const { return store_.clock; }

MemoryBudget& Database::room() { return store_.writer.room(); }

bool Database::is_durable() const { return store_.engine->is_durable(); }

bool Database::commit_waits() const { return store_.engine->commit_waits(); }

void Database::settle() { store_.settle({}); }

}  // namespace magneto::storage
