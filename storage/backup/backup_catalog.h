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
#include "storage/table/catalog.h"

namespace magneto::storage {

// All backups by database and id. In a durable engine each is a record in ColumnFamily::kSystem
// (encoding/backup_encoding.h), which is there before the first of its items, and says that it is
// complete after the last: so a process that ends in between leaves one that is known to be half
// made. A change is on disk before it is seen, and throws EngineError, changing nothing, when it
// cannot be. Thread-safe.
class BackupCatalog {
 public:
  // Each holds a snapshot, and all take turns. AWS has as many operations on tables at a time.
  static constexpr std::size_t kMostBeingMade = 500;

  BackupCatalog(Engine& engine, const Clock& clock, Catalog& catalog, Reclaimer& reclaimer);

  // Reads what a durable engine holds. After Catalog::load(), before any other use.
  void load();
  // The complete ones. Of Catalog::snapshot(), before the snapshot is taken.
  std::vector<BackupPtr> snapshot() const;
  // Instead of load(): begins with those of another catalog.
  void fork_from(const std::vector<BackupPtr>& snapshot, Catalog::OverlayOf overlay_of);

  // A backup to be made of all that is committed to the table now, which the snapshot sees. kTooMany
  // where kMostBeingMade are, too.
  struct Begun {
    BackupOutcome outcome = BackupOutcome::kDone;
    BackupPtr backup = nullptr;
    SnapshotPtr snapshot = nullptr;
  };
  Begun begin(const Table& table, std::string_view name);
  // All its items are there: so many, of so many bytes. Nothing when it was removed meanwhile.
  void complete(const Backup& backup, std::int64_t items, std::int64_t bytes);

  // By the caller's wish: not while it is being made or used.
  BackupResult remove(std::uint32_t database, std::string_view arn);
  // However it stands; its items are reclaimed in the background. Nothing when it is gone.
  void drop(const Backup& backup);

  // While it is used it is not removed, only dropped. `alone`: by nobody else, else kInUse. kNoBackup
  // when it is gone or not complete.
  BackupOutcome use(const Backup& backup, bool alone);
  void end_use(const Backup& backup);
  bool has(const Backup& backup) const;

  // nullptr when the database has none of that ARN.
  BackupPtr find(std::uint32_t database, std::string_view arn) const;
  // Of one database, the older first, at most `limit`. Looks at each backup of it.
  std::vector<BackupPtr> list(std::uint32_t database, const BackupFilter& filter,
                              std::size_t limit) const;
  // Of all databases; those that are used too where `used_too` says so.
  std::vector<BackupPtr> all(bool used_too = true) const;

 private:
  using Key = std::pair<std::uint32_t, std::string>;  // database, id
  struct Entry {
    BackupPtr backup;
    std::uint32_t uses = 0;
  };

  static Key key_of(const Backup& backup) { return {backup.schema->database(), backup.schema->id}; }
  BackupSchema new_schema(const Table& table, std::string_view name, std::uint32_t number) const;
  void append_record(WriteBatch& batch, const BackupSchema& schema) const;
  void append_removal(WriteBatch& batch, const BackupSchema& schema) const;
  // Requires mutex_.
  const Entry* entry_of(const Backup& backup) const;

  Engine& engine_;
  const Clock& clock_;
  Catalog& catalog_;
  Reclaimer& reclaimer_;
  const TreePtr system_;      // nullptr when the engine is not durable
  mutable std::mutex mutex_;  // guards what follows; who changes it is in Catalog::change_beside()
  std::map<Key, Entry> entries_;
};

}  // namespace magneto::storage
