#include "storage/backup/backup_copies.h"

#include <utility>

#include "storage/backup/item_chunk.h"
#include "storage/messages/background_messages.h"
#include "storage/model/charged_sizes.h"
#include "storage/table/item_cursor.h"

namespace magneto::storage {

BackupResult BackupCopies::begin(const TablePtr& table, std::string_view name) {
  BackupCatalog::Begun begun = parts_.backups.begin(*table, name);
  if (begun.outcome == BackupOutcome::kDone) {
    const Clock::TimePoint not_before = delays_ ? parts_.delay.end() : Clock::kFirst;
    go_on_later(
        std::make_shared<Copy>(Copy{begun.backup, table, std::move(begun.snapshot), not_before}));
  }
  return {begun.outcome, std::move(begun.backup)};
}

void BackupCopies::resume() {
  for (BackupPtr& backup : parts_.backups.all()) {
    if (backup->schema->is_complete) continue;
    auto copy = std::make_shared<Copy>(Copy{std::move(backup), nullptr, nullptr, Clock::kFirst});
    copy->failure = messages::kBackupCutOff;
    go_on_later(copy);
  }
}

void BackupCopies::go_on_later(const CopyPtr& copy) {
  parts_.jobs.post([this, copy](const std::stop_token& stop) { run(copy, stop); });
}

// If the removal fails, the worker retries it.
void BackupCopies::run(const CopyPtr& copy, const std::stop_token& stop) {
  if (copy->failure.empty()) {
    try {
      return advance(copy, stop);
    } catch (const EngineError& error) {
      copy->failure = error.what();
    } catch (const MemoryFull& full) {
      copy->failure = full.what();
    }
    copy->snapshot.reset();
  }
  if (stop.stop_requested()) return;
  const BackupSchema& schema = *copy->backup->schema;
  if (!parts_.backups.has(*copy->backup)) return;
  parts_.backups.drop(*copy->backup);
  report_(messages::backup_removed(schema.name, schema.table.name, copy->failure));
}

void BackupCopies::advance(const CopyPtr& copy, const std::stop_token& stop) {
  if (stop.stop_requested() || !parts_.backups.has(*copy->backup)) return;
  if (copy->table != nullptr) {
    if (copy_some(*copy)) return go_on_later(copy);
    copy->snapshot.reset();
    copy->table.reset();
  }
  if (!parts_.delay.has_come_or_will(copy->not_before, [this, copy] { go_on_later(copy); })) return;
  parts_.backups.complete(*copy->backup, copy->items, copy->bytes);
}

// False if nothing is left to copy. Can be repeated after a failure.
bool BackupCopies::copy_some(Copy& copy) {
  const TreePtr& tree = copy.backup->items.tree(0);
  WriteBatch batch;
  ItemChunk chunk;
  std::string next;
  std::int64_t bytes = 0;
  const ChargedSizes sizes(copy.table->schema);
  ItemCursor cursor(*copy.snapshot, copy.table->partitions, {copy.next, {}}, Direction::kForward,
                    {.entries = ItemChunk::kMostItems, .bytes = ItemChunk::kMostBytes});
  while (!chunk.is_full() && cursor.next()) {
    ++chunk.items;
    chunk.bytes += cursor.key().size() + cursor.stored().size() + ItemChunk::kRecord;
    bytes += static_cast<std::int64_t>(cursor.item_size()) + sizes.difference(cursor.item());
    batch.put(tree, key_under(tree->prefix(), cursor.key()), std::string(cursor.stored()));
    if (chunk.is_full()) next = key_behind(cursor.key());
  }
  if (chunk.items == 0) return false;
  if (!parts_.room.take(static_cast<std::int64_t>(chunk.bytes))) {
    throw MemoryFull(0, parts_.room.refusal());
  }
  if (!commit(*copy.backup, batch)) return true;  // the next call finds it gone
  copy.items += static_cast<std::int64_t>(chunk.items);
  copy.bytes += bytes;
  copy.next = std::move(next);
  return chunk.is_full();
}

// Commits in a scope, because dropped data is reclaimed after the open scopes have ended. False if
// the backup was dropped.
bool BackupCopies::commit(const Backup& backup, const WriteBatch& batch) {
  for (;;) {
    const WriteScopePtr scope = parts_.engine.begin(batch.operations().front().key);
    if (!parts_.backups.has(backup)) return false;
    if (scope->commit(batch) == CommitResult::kCommitted) return true;
  }
}

}  // namespace magneto::storage
