#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/background/reclaimer.h"
#include "storage/backup/backup.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/engine/records.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// All backups, by database and id. In a durable engine each is a record in ColumnFamily::kSystem
// (encoding/backup_encoding.h). The record is written before the first of its items, and marked
// complete after the last one. So a backup that a process did not finish is recognised. A change is
// on disk before it is visible; if that fails, the function throws EngineError and changes nothing.
// Thread-safe.
class BackupCatalog {
 public:
  // Each backup in progress holds a snapshot, and all take turns. AWS allows as many concurrent
  // operations on tables.
  static constexpr std::size_t kMostBeingMade = 500;

  BackupCatalog(Engine& engine, const Clock& clock, Catalog& catalog, Reclaimer& reclaimer);

  // Reads the backups of a durable engine. Call it after Catalog::load(), before any other
  // function.
  void load();
  // The complete backups. Called within Catalog::snapshot(), before the engine's snapshot is taken.
  std::vector<BackupPtr> snapshot() const;
  // Used in place of load(): starts with the backups of another catalog.
  void fork_from(const std::vector<BackupPtr>& snapshot, Catalog::OverlayOf overlay_of);

  // Begins a backup of everything that is committed to the table now; `snapshot` has that state.
  // kTooMany also if kMostBeingMade backups are in progress.
  struct Begun {
    BackupOutcome outcome = BackupOutcome::kDone;
    BackupPtr backup = nullptr;
    SnapshotPtr snapshot = nullptr;
  };
  Begun begin(const Table& table, std::string_view name);
  // All items are copied: `items` of them, with `bytes` bytes. Does nothing if the backup was
  // removed meanwhile.
  void complete(const Backup& backup, std::int64_t items, std::int64_t bytes);

  // Removes a backup at the caller's request, unless it is in progress or used.
  BackupResult remove(std::uint32_t database, std::string_view arn);
  // Removes a backup in any state; the background reclaims its items. Does nothing if it is gone.
  void drop(const Backup& backup);

  // Marks the backup as used: it is then not removed, only dropped. `alone`: kInUse if it is used
  // already. kNoBackup if it is gone or not complete.
  BackupOutcome use(const Backup& backup, bool alone);
  void end_use(const Backup& backup);
  bool has(const Backup& backup) const;

  // nullptr if the database has no backup of that ARN.
  BackupPtr find(std::uint32_t database, std::string_view arn) const;
  // The backups of one database, oldest first, at most `limit`. Checks each of its backups.
  std::vector<BackupPtr> list(std::uint32_t database, const BackupFilter& filter,
                              std::size_t limit) const;
  // The backups of all databases; used ones only if `used_too`.
  std::vector<BackupPtr> all(bool used_too = true) const;

 private:
  using Key = std::pair<std::uint32_t, std::string>;  // database, id
  struct Entry {
    BackupPtr backup;
    std::uint32_t uses = 0;
  };

  static Key key_of(const Backup& backup) { return {backup.schema->database(), backup.schema->id}; }
  BackupSchema new_schema(const Table& table, std::string_view name, std::uint32_t number) const;
  static std::string record_key(const Backup& backup);
  static void append_removal(Records::Change& records, const Backup& backup);
  bool is_stored(const Backup& backup, Records::Change& records);
  // Requires mutex_.
  const Entry* entry_of(const Backup& backup) const;

  Engine& engine_;
  const Clock& clock_;
  Catalog& catalog_;
  Reclaimer& reclaimer_;
  const Records records_;
  // guards the next members; changes are made under the catalog's lock for changes
  mutable std::mutex mutex_;
  std::map<Key, Entry> entries_;
};

}  // namespace magneto::storage
