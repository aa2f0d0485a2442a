#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "storage/engine/partition_map.h"
#include "storage/model/backup_schema.h"
#include "storage/table/table.h"

namespace magneto::storage {

// The limit for a store, over all its databases: each backup takes memory while it is kept.
inline constexpr std::size_t kMaxBackups = 10'000;

// One version of a backup: its description, and the tree with its items, under their keys in the
// table with another number. Immutable; a complete backup is published in place of the one in
// progress.
struct Backup {
  std::shared_ptr<const BackupSchema> schema;  // shared with the versions in forks
  PartitionMap items;
};
using BackupPtr = std::shared_ptr<const Backup>;

// Selects backups; without any condition all of a database.
struct BackupFilter {
  std::string table_name = {};  // of tables of this name; empty: of all
  std::string table_arn = {};   // of the table with this ARN; empty: of all
  // Seconds since the epoch: made at or after `from`, and before `before`.
  std::optional<double> from = {};
  std::optional<double> before = {};
  // backup_id() of the backup to start after, which may be deleted; empty: starts with the first.
  std::string exclusive_start = {};

  bool matches(const BackupSchema& backup) const {
    return (table_name.empty() || backup.table.name == table_name) &&
           (table_arn.empty() || backup.table.arn() == table_arn) &&
           (!from || backup.created_seconds() >= *from) &&
           (!before || backup.created_seconds() < *before);
  }
};

// The outcome of a call about backups. Only kDone means that something was changed.
enum class BackupOutcome : std::uint8_t {
  kDone,
  kNoTable,       // it is deleted, or being deleted
  kTooMany,       // the store has the maximum number of backups
  kNoBackup,      // it is deleted
  kInUse,         // it is in progress, or a table, or another table, is being restored from it
  kTableExists,   // the target table exists already
  kNoHistory,     // point-in-time recovery is not enabled
  kOutsideWindow  // the time cannot be restored
};

struct BackupResult {
  BackupOutcome outcome = BackupOutcome::kDone;
  BackupPtr backup = nullptr;  // the backup that was made or deleted
};

struct RestoreResult {
  BackupOutcome outcome = BackupOutcome::kDone;
  TablePtr table = nullptr;  // CREATING
};

}  // namespace magneto::storage
