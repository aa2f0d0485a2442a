#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "storage/background/control_plane_delay.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/backup/backup_catalog.h"
#include "storage/table/memory_budget.h"

namespace magneto::storage {

// Makes backups: copies the items that a table had when the backup was requested, while writes
// continue, even if the table is deleted. If there is no room for a backup, it is removed with a
// warning. At the start, backups that an earlier process did not complete are removed too.
// Thread-safe.
class BackupCopies final : public TableFollowUp {
 public:
  struct Parts {
    Engine& engine;
    BackupCatalog& backups;
    MemoryBudget& room;
    ControlPlaneDelay& delay;
    Worker& jobs;
  };
  // With `delays`, a backup is CREATING at least for the control-plane delay.
  BackupCopies(const Parts& parts, bool delays, ReportWarning report)
      : parts_(parts), delays_(delays), report_(std::move(report)) {}

  BackupResult begin(const TablePtr& table, std::string_view name);

  void resume() override;
  void follow(const Catalog::Edited& /*edited*/) override {}
  void drop(const Table& /*table*/) override {}  // the snapshot keeps the table's items

 private:
  // A backup in progress.
  struct Copy {
    BackupPtr backup;
    TablePtr table;  // holds the trees that are read, until all is copied
    SnapshotPtr snapshot;
    Clock::TimePoint not_before;  // the earliest completion
    std::string next = {};        // the table's item to continue with
    std::int64_t items = 0;       // copied
    std::int64_t bytes = 0;
    std::string failure = {};  // why the backup must be removed
  };
  using CopyPtr = std::shared_ptr<Copy>;

  void go_on_later(const CopyPtr& copy);
  void run(const CopyPtr& copy, const std::stop_token& stop);
  void advance(const CopyPtr& copy, const std::stop_token& stop);
  bool copy_some(Copy& copy);
  bool commit(const Backup& backup, const WriteBatch& batch);

  const Parts parts_;
  const bool delays_;
  const ReportWarning report_;
};

}  // namespace magneto::storage
