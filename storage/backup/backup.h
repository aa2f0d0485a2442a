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

// Of a store, of all databases together: each takes memory for as long as it is kept.
inline constexpr std::size_t kMaxBackups = 10'000;

// One version of a backup: what it is of, and the tree that holds its items, under the keys that
// they have in the table but for the number. Immutable; a complete backup is published in place of
// the one that was being made.
struct Backup {
  std::shared_ptr<const BackupSchema> schema;  // shared by the versions that forks have
  PartitionMap items;
};
using BackupPtr = std::shared_ptr<const Backup>;

// Which backups are wanted; all of a database where nothing is said.
struct BackupFilter {
  std::string table_name = {};  // of tables of this name; empty: of all
  std::string table_arn = {};   // of the table with this ARN; empty: of all
  // Seconds since the epoch: made at that time or later, and before that time.
  std::optional<double> from = {};
  std::optional<double> before = {};
  // backup_id() of the one to begin behind, which may be gone; empty: with the first.
  std::string exclusive_start = {};

  bool matches(const BackupSchema& backup) const {
    return (table_name.empty() || backup.table.name == table_name) &&
           (table_arn.empty() || backup.table.arn() == table_arn) &&
           (!from || backup.created_seconds() >= *from) &&
           (!before || backup.created_seconds() < *before);
  }
};

// What came of a call about backups. Nothing is changed but with kDone.
enum class BackupOutcome : std::uint8_t {
  kDone,
  kNoTable,       // it is deleted, or being deleted
  kTooMany,       // the store has as many backups as it may
  kNoBackup,      // it is deleted
  kInUse,         // it is being made, or a table, or another one, is being restored from it
  kTableExists,   // one of the name that is to be restored
  kNoHistory,     // point-in-time recovery is not enabled
  kOutsideWindow  // of what can be restored
};

struct BackupResult {
  BackupOutcome outcome = BackupOutcome::kDone;
  BackupPtr backup = nullptr;  // that was made or deleted
};

struct RestoreResult {
  BackupOutcome outcome = BackupOutcome::kDone;
  TablePtr table = nullptr;  // CREATING
};

}  // namespace magneto::storage
