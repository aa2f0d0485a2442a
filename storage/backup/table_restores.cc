#include "storage/backup/table_restores.h"

#include <chrono>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "storage/background/table_statuses.h"
#include "storage/backup/item_chunk.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/background_messages.h"
#include "storage/model/charged_sizes.h"
#include "storage/model/effort.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {
namespace {

// How often a waiting request checks whether the server ends.
constexpr std::chrono::milliseconds kLookTime{20};

}  // namespace

// The data of one commit, with the counts to add after it.
struct TableRestores::Chunk : ItemChunk {
  struct Count {
    Statistics* statistics;
    std::int64_t bytes;
    std::int64_t vector_bytes;
  };
  void count(Statistics& statistics, std::size_t size, std::int64_t vector_bytes = 0) {
    counts.push_back({&statistics, static_cast<std::int64_t>(size), vector_bytes});
  }

  WriteBatch batch;
  std::vector<Count> counts;
};

Clock::TimePoint TableRestores::not_before() const {
  return delays_ ? parts_.delay.end() : Clock::kFirst;
}

RestoreResult TableRestores::begin(const BackupPtr& backup, TableSchema schema) {
  // Checked before the use of the backup, which may be by this very table.
  if (parts_.catalog.find(schema.database, schema.name) != nullptr) {
    return {BackupOutcome::kTableExists};
  }
  const BackupOutcome use = parts_.backups.use(*backup, true);
  if (use != BackupOutcome::kDone) return {use};
  schema.restored = RestoreOrigin{.backup_arn = backup->schema->arn(),
                                  .table_arn = backup->schema->table.arn(),
                                  .time = backup->schema->created_seconds(),
                                  .in_progress = true};
  set_all_statuses(schema, ResourceStatus::kCreating);
  TablePtr table;
  try {
    table = parts_.catalog.create(std::move(schema));
  } catch (...) {
    parts_.backups.end_use(*backup);
    throw;
  }
  if (table == nullptr) {
    parts_.backups.end_use(*backup);
    return {BackupOutcome::kTableExists};
  }
  go_on_later(std::make_shared<Restore>(
      Restore{table->schema.full_name(), table->schema.number, backup, nullptr, not_before()}));
  return {BackupOutcome::kDone, std::move(table)};
}

RestoreResult TableRestores::begin(const Table& source, std::optional<Clock::TimePoint> time,
                                   TableSchema schema) {
  // Marked before the source is read, so that a thread that deletes it knows of this restore.
  const std::uint32_t history = source.history == nullptr ? 0 : source.history->number();
  begin_reading(history);
  absl::Cleanup not_begun = [&] { end_reading(history); };
  AsOfView view = read_as_of(parts_.engine, parts_.catalog, source, time);
  if (view.outcome != BackupOutcome::kDone) return {view.outcome};
  // The table may have got another history since `source` was looked up.
  if (view.past->table->history->number() != history) return {BackupOutcome::kNoHistory};
  schema.restored = RestoreOrigin{.backup_arn = {},
                                  .table_arn = source.schema.arn(),
                                  .time = seconds_of(view.time),
                                  .in_progress = true,
                                  .history = view.past->table->history->number(),
                                  .moment = view.past->until.time_since_epoch().count()};
  set_all_statuses(schema, ResourceStatus::kCreating);
  TablePtr table = parts_.catalog.create(std::move(schema));
  if (table == nullptr) return {BackupOutcome::kTableExists};
  go_on_later(
      std::make_shared<Restore>(Restore{table->schema.full_name(), table->schema.number, nullptr,
                                        std::move(view.past), not_before(), history}));
  std::move(not_begun).Cancel();
  return {BackupOutcome::kDone, std::move(table)};
}

void TableRestores::begin_reading(std::uint32_t history) {
  const std::lock_guard lock(mutex_);
  ++reading_[history];
}

void TableRestores::end_reading(std::uint32_t history) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = reading_.find(history);
    if (--found->second == 0) reading_.erase(found);
  }
  read_.notify_all();
}

void TableRestores::require_unread(std::uint32_t history) const {
  const std::lock_guard lock(mutex_);
  if (history != 0 && reading_.contains(history)) throw SourceIsRead{history};
}

void TableRestores::wait_until_unread(std::uint32_t history) {
  std::unique_lock lock(mutex_);
  while (reading_.contains(history)) {
    Effort::before_going_on();
    read_.wait_for(lock, kLookTime);
  }
}

// The past table of a restore by an earlier process or by a fork's parent; nullptr if it can no
// longer be read.
TableAsOfPtr TableRestores::past_again(const TableSchema& schema) const {
  const RestoreOrigin& from = *schema.restored;
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (from.history != 0) {
      if (table->history == nullptr || table->history->number() != from.history) continue;
      const Clock::TimePoint moment{Clock::Duration(from.moment)};
      return see_moment(parts_.engine, parts_.catalog, *table, from.history, moment).past;
    }
    const bool is_source =
        table->schema.database == schema.database && table->schema.arn() == from.table_arn;
    if (!is_source || table->schema.created > from.time) continue;
    return read_as_of(parts_.engine, parts_.catalog, *table, time_of(from.time)).past;
  }
  return nullptr;
}

void TableRestores::resume() {
  for (const TablePtr& table : parts_.catalog.tables()) {
    const TableSchema& schema = table->schema;
    if (!is_being_restored(schema) || schema.status == ResourceStatus::kDeleting) continue;
    BackupPtr backup;
    TableAsOfPtr past;
    const bool is_filled = schema.restored->moment == RestoreOrigin::kFilled;
    if (is_filled) {
      // It only needs time.
    } else if (schema.restored->backup_arn.empty()) {
      past = past_again(schema);
    } else {
      backup = parts_.backups.find(schema.database, schema.restored->backup_arn);
      // Older versions allowed several tables to be restored from one backup at a time.
      const bool is_used =
          backup != nullptr && parts_.backups.use(*backup, false) == BackupOutcome::kDone;
      if (!is_used) backup = nullptr;
    }
    const std::uint32_t history = past == nullptr ? 0 : past->table->history->number();
    auto restore =
        std::make_shared<Restore>(Restore{schema.full_name(), schema.number, std::move(backup),
                                          std::move(past), not_before(), history});
    if (history != 0) begin_reading(history);
    restore->is_filled = is_filled;
    if (!is_filled && restore->backup == nullptr && restore->past == nullptr) {
      restore->failure =
          schema.restored->backup_arn.empty() ? messages::kHistoryIsGone : messages::kBackupIsGone;
    }
    go_on_later(restore);
  }
}

void TableRestores::end_use(Restore& restore) {
  if (restore.backup != nullptr) parts_.backups.end_use(*restore.backup);
  if (restore.history != 0) end_reading(std::exchange(restore.history, 0));
}

// A deletion of the source then need not wait for the delay as well.
void TableRestores::record_filled(Restore& restore) {
  if (restore.history == 0 || !delays_) return;
  parts_.catalog.edit(restore.name, [&](TableSchema& schema) {
    if (schema.number != restore.number || schema.status != ResourceStatus::kCreating) return false;
    schema.restored->moment = RestoreOrigin::kFilled;
    return true;
  });
  end_reading(std::exchange(restore.history, 0));
}

void TableRestores::go_on_later(const RestorePtr& restore) {
  parts_.jobs.post([this, restore](const std::stop_token& stop) { run(restore, stop); });
}

// If the removal of the table fails, the worker retries it.
void TableRestores::run(const RestorePtr& restore, const std::stop_token& stop) {
  if (restore->failure.empty()) {
    try {
      return advance(restore, stop);
    } catch (const EngineError& error) {
      restore->failure = error.what();
    } catch (const MemoryFull& full) {
      restore->failure = full.what();
    }
  }
  if (!stop.stop_requested()) remove(*restore);
}

void TableRestores::advance(const RestorePtr& restore, const std::stop_token& stop) {
  if (stop.stop_requested()) return;
  const TablePtr table = table_of(*restore);
  if (table == nullptr) return end_use(*restore);
  if (!restore->is_filled) {
    if (fill_some(*restore, *table)) return go_on_later(restore);
    restore->is_filled = true;
    restore->past.reset();
    record_filled(*restore);
  }
  const auto go_on = [this, restore] { go_on_later(restore); };
  if (!parts_.delay.has_come_or_will(restore->not_before, go_on)) return;
  finish(*restore);
}

// nullptr if the table is deleted or being deleted.
TablePtr TableRestores::table_of(const Restore& restore) const {
  TablePtr table = parts_.catalog.find(restore.name.database, restore.name.name);
  const bool is_it = table != nullptr && table->schema.number == restore.number &&
                     table->schema.status == ResourceStatus::kCreating;
  return is_it ? table : nullptr;
}

void TableRestores::position(Restore& restore, const Table& table, const Reader& reader) {
  if (std::exchange(restore.is_positioned, true)) return;
  ItemCursor last(reader, table.partitions, {}, Direction::kBackward, {.entries = 1, .bytes = 0});
  if (!last.next()) return;
  const std::uint32_t source = restore.backup != nullptr ? restore.backup->schema->number
                                                         : restore.past->table->schema.number;
  restore.next = key_behind(key_under(tree_prefix(source, 0), last.key()));
}

// False if nothing is left. Can be repeated after a failure.
bool TableRestores::fill_some(Restore& restore, const Table& table) {
  // Reads a snapshot, not the engine: its cache would make room for a backup that is read once.
  const SnapshotPtr snapshot = parts_.engine.snapshot();
  position(restore, table, *snapshot);
  Chunk chunk;
  bool is_committed = false;
  const absl::Cleanup tell_indexes = [&] {
    for (const auto& index : table.indexes) {
      if (is_committed) {
        index->store->committed();
      } else {
        index->store->discarded();
      }
    }
  };
  std::string next;
  const ScanHint hint{.entries = ItemChunk::kMostItems, .bytes = ItemChunk::kMostBytes};
  if (restore.past != nullptr) {
    AsOfCursor cursor(*restore.past, restore.next, hint);
    next = stage_some(table, cursor, chunk);
    if (cursor.is_resting()) next = cursor.rest_key();
  } else {
    ItemCursor cursor(*snapshot, restore.backup->items, {restore.next, {}}, Direction::kForward,
                      hint);
    next = stage_some(table, cursor, chunk);
  }
  const bool goes_on = !next.empty();
  if (chunk.items != 0) {
    if (!parts_.room.take(static_cast<std::int64_t>(chunk.bytes))) {
      throw MemoryFull(0, parts_.room.refusal());
    }
    if (!commit(restore, chunk)) return true;  // the next call finds the table gone
    is_committed = true;
  }
  restore.next = std::move(next);
  return goes_on;
}

// Returns the source's key to continue with if the chunk is full.
template <typename Source>
std::string TableRestores::stage_some(const Table& table, Source& source, Chunk& chunk) {
  const std::string prefix = tree_prefix(table.schema.number, 0);
  std::string next;
  while (!chunk.is_full() && source.next()) {
    stage(table, key_under(prefix, source.key()), source.stored(), chunk);
    if (chunk.is_full()) next = key_behind(source.key());
  }
  return next;
}

void TableRestores::stage(const Table& table, std::string key, std::string_view stored,
                          Chunk& chunk) {
  const ItemView item = decode_item(stored);
  const auto note = [&chunk](std::size_t bytes) { chunk.bytes += bytes + ItemChunk::kRecord; };
  ++chunk.items;
  note(key.size() + stored.size());
  chunk.count(*table.statistics, decode_item_size(stored),
              ChargedSizes(table.schema).difference(item));
  IndexKeyEncoder keys(table.schema, key, item);
  for (const auto& index : table.indexes) {
    EntryChange change = index->store->change(keys, {}, item);
    if (change.empty()) continue;
    note(change.put_key.size() + change.value.size());
    chunk.count(*index->statistics, change.new_size);
    index->store->apply(std::move(change), chunk.batch);
  }
  const TreePtr& tree = table.partitions.tree_of(key);
  chunk.batch.put(tree, std::move(key), std::string(stored));
}

// Commits in a scope: dropped data is reclaimed after the open scopes have ended, and a snapshot
// finds counts that match the items. False if the table is gone.
bool TableRestores::commit(const Restore& restore, const Chunk& chunk) {
  for (;;) {
    const WriteScopePtr scope = parts_.engine.begin(chunk.batch.operations().back().key);
    if (table_of(restore) == nullptr) return false;
    if (scope->commit(chunk.batch) == CommitResult::kConflict) continue;
    for (const Chunk::Count& count : chunk.counts) {
      count.statistics->add(1, count.bytes, count.vector_bytes);
    }
    return true;
  }
}

void TableRestores::finish(Restore& restore) {
  bool has_source = true;
  parts_.catalog.edit(restore.name, [&](TableSchema& schema) {
    has_source = restore.backup == nullptr || parts_.backups.has(*restore.backup);
    if (!has_source || schema.number != restore.number ||
        schema.status != ResourceStatus::kCreating) {
      return false;
    }
    schema.restored->in_progress = false;
    finish_passing(schema);
    return true;
  });
  // Its items may have been reclaimed while they were read.
  if (!has_source) throw EngineError(messages::kBackupIsGone);
  end_use(restore);
}

void TableRestores::remove(Restore& restore) {
  const TablePtr table = parts_.catalog.erase(restore.name, restore.number);
  if (table != nullptr) {
    parts_.reclaimer.drop(*table);
    report_(messages::restore_ended(restore.name.name, restore.failure));
  }
  end_use(restore);
}

}  // namespace magneto::storage
