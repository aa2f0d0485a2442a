#include "storage/backup/table_restores.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "storage/background/table_statuses.h"
#include "storage/backup/item_chunk.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/background_messages.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {

// What is committed at once, and counted then.
struct TableRestores::Chunk : ItemChunk {
  struct Count {
    Statistics* statistics;
    std::int64_t bytes;
  };
  void count(Statistics& statistics, std::size_t size) {
    counts.push_back({&statistics, static_cast<std::int64_t>(size)});
  }

  WriteBatch batch;
  std::vector<Count> counts;
};

Clock::TimePoint TableRestores::not_before() const {
  return delays_ ? parts_.delay.end() : Clock::kFirst;
}

RestoreResult TableRestores::begin(const BackupPtr& backup, TableSchema schema) {
  if (!parts_.backups.use(*backup)) return {BackupOutcome::kNoBackup};
  schema.restored = RestoreOrigin{.backup_arn = backup->schema.arn(),
                                  .table_arn = backup->schema.table.arn(),
                                  .time = backup->schema.created_seconds(),
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
      Restore{table->schema.full_name(), table->schema.number, backup, not_before()}));
  return {BackupOutcome::kDone, std::move(table)};
}

void TableRestores::resume() {
  for (const TablePtr& table : parts_.catalog.tables()) {
    const TableSchema& schema = table->schema;
    if (!is_being_restored(schema) || schema.status == ResourceStatus::kDeleting) continue;
    BackupPtr backup = parts_.backups.find(schema.database, schema.restored->backup_arn);
    if (backup != nullptr && !parts_.backups.use(*backup)) backup = nullptr;
    go_on_later(std::make_shared<Restore>(
        Restore{schema.full_name(), schema.number, std::move(backup), not_before()}));
  }
}

void TableRestores::go_on_later(const RestorePtr& restore) {
  parts_.jobs.post([this, restore](const std::stop_token& stop) { run(restore, stop); });
}

// A failure to remove the table is tried again by the worker.
void TableRestores::run(const RestorePtr& restore, const std::stop_token& stop) {
  if (restore->backup == nullptr) restore->failure = messages::kBackupIsGone;
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
  if (table == nullptr) return parts_.backups.end_use(*restore->backup);
  if (!restore->is_filled) {
    if (fill_some(*restore, *table)) return go_on_later(restore);
    restore->is_filled = true;
  }
  // No later than if it began now, where the clock was set back.
  const Clock::TimePoint end = std::min(restore->not_before, parts_.delay.end());
  if (!parts_.delay.has_come(end)) {
    return parts_.delay.run_at(end,
                               [this, restore](const std::stop_token&) { go_on_later(restore); });
  }
  finish(*restore);
}

// nullptr when the table is deleted or being deleted.
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
  restore.next = key_behind(key_under(restore.backup->items.tree(0)->prefix(), last.key()));
}

// False when nothing is left. What fails can be done again.
bool TableRestores::fill_some(Restore& restore, const Table& table) {
  // Not by the engine, whose cache would make room for a backup that is read once.
  const SnapshotPtr snapshot = parts_.engine.snapshot();
  position(restore, table, *snapshot);
  const std::string prefix = tree_prefix(restore.number, 0);
  Chunk chunk;
  std::string next;
  ItemCursor cursor(*snapshot, restore.backup->items, {restore.next, {}}, Direction::kForward,
                    {.entries = ItemChunk::kMostItems, .bytes = ItemChunk::kMostBytes});
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
  while (!chunk.is_full() && cursor.next()) {
    stage(table, key_under(prefix, cursor.key()), cursor.stored(), chunk);
    if (chunk.is_full()) next = key_behind(cursor.key());
  }
  if (chunk.items == 0) return false;
  if (!parts_.room.take(static_cast<std::int64_t>(chunk.bytes))) {
    throw MemoryFull(0, parts_.room.refusal());
  }
  if (!commit(restore, chunk)) return true;  // which finds the table gone
  is_committed = true;
  restore.next = std::move(next);
  return chunk.is_full();
}

void TableRestores::stage(const Table& table, std::string key, std::string_view stored,
                          Chunk& chunk) {
  const ItemView item = decode_item(stored);
  const auto note = [&chunk](std::size_t bytes) { chunk.bytes += bytes + ItemChunk::kRecord; };
  ++chunk.items;
  note(key.size() + stored.size());
  chunk.count(*table.statistics, decode_item_size(stored));
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

// In a scope: what is dropped is reclaimed when those that were open have ended, and who freezes all
// finds the numbers of what is there. False when the table is gone.
bool TableRestores::commit(const Restore& restore, const Chunk& chunk) {
  for (;;) {
    const WriteScopePtr scope = parts_.engine.begin(chunk.batch.operations().back().key);
    if (table_of(restore) == nullptr) return false;
    if (scope->commit(chunk.batch) == CommitResult::kConflict) continue;
    for (const Chunk::Count& count : chunk.counts) count.statistics->add(1, count.bytes);
    return true;
  }
}

void TableRestores::finish(const Restore& restore) {
  bool has_backup = true;
  parts_.catalog.edit(restore.name, [&](TableSchema& schema) {
    has_backup = parts_.backups.has(*restore.backup);
    if (!has_backup || schema.number != restore.number ||
        schema.status != ResourceStatus::kCreating) {
      return false;
    }
    schema.restored->in_progress = false;
    finish_passing(schema);
    return true;
  });
  // Its items may have been reclaimed while they were read.
  if (!has_backup) throw EngineError(messages::kBackupIsGone);
  parts_.backups.end_use(*restore.backup);
}

void TableRestores::remove(const Restore& restore) {
  const TablePtr table = parts_.catalog.erase(restore.name, restore.number);
  if (table != nullptr) {
    parts_.reclaimer.drop(*table);
    report_(messages::restore_ended(restore.name.name, restore.failure));
  }
  if (restore.backup != nullptr) parts_.backups.end_use(*restore.backup);
}

}  // namespace magneto::storage
