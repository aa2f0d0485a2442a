#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "storage/background/control_plane_delay.h"
#include "storage/background/reclaimer.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/backup/backup_catalog.h"
#include "storage/backup/table_as_of.h"
#include "storage/table/memory_budget.h"

namespace magneto::storage {

// Restores tables from backups and to points in time. It creates a table as CREATING, fills it and
// its indexes in the background, then makes it ACTIVE. No other writer writes to such a table, and
// it is filled in key order, in whole commits. So a restore continues after the last item, after a
// restart or in a fork. A past table never changes, so this holds for it too. A deletion of its
// source, or of the source's history, waits until the items were read. A table that cannot be
// filled for lack of room is removed with a warning. Thread-safe.
class TableRestores final : public TableFollowUp {
 public:
  struct Parts {
    Engine& engine;
    Catalog& catalog;
    BackupCatalog& backups;
    Reclaimer& reclaimer;
    MemoryBudget& room;
    ControlPlaneDelay& delay;
    Worker& jobs;
  };
  // With `delays`, a table is CREATING at least for the control-plane delay.
  TableRestores(const Parts& parts, bool delays, ReportWarning report)
      : parts_(parts), delays_(delays), report_(std::move(report)) {}

  // `schema` is that of a new table, with keys like the backup's; begin() fills in the source.
  // kInUse: another table is being restored from the backup. AWS restores one at a time (captured,
  // October 2026).
  RestoreResult begin(const BackupPtr& backup, TableSchema schema);
  // Restores a table as it was when the clock last showed `time`; nullopt: now.
  RestoreResult begin(const Table& source, std::optional<Clock::TimePoint> time,
                      TableSchema schema);

  // Calls `change`, which changes a table, once no restore reads the history that it ends: an
  // acknowledged restore must be able to continue after a kill. `change` must call require_unread()
  // before it changes anything, and is repeated if that threw. Throws NeedsWorker when the server
  // ends.
  template <typename Change>
  auto when_unread(const Change& change) {
    while (true) {
      try {
        return change();
      } catch (const SourceIsRead& read) {
        wait_until_unread(read.history);
      }
    }
  }
  // `history`: the number of a history that will end; 0: there is none.
  void require_unread(std::uint32_t history) const;

  void resume() override;
  void follow(const Catalog::Edited& /*edited*/) override {}
  void drop(const Table& /*table*/) override {}  // the next step notices it

 private:
  // A table that is being filled.
  struct Restore {
    TableName name;
    std::uint32_t number;         // of the table
    BackupPtr backup;             // nullptr: not from a backup, or the backup is gone
    TableAsOfPtr past;            // nullptr: not from a past table, or it is gone
    Clock::TimePoint not_before;  // the earliest time to become ACTIVE
    std::uint32_t history = 0;    // being read; 0: none, or no longer
    bool is_positioned = false;
    bool is_filled = false;
    std::string next = {};     // the source's item to continue with
    std::string failure = {};  // why the table must be removed
  };
  using RestorePtr = std::shared_ptr<Restore>;
  struct Chunk;

  struct SourceIsRead {
    std::uint32_t history;
  };

  void wait_until_unread(std::uint32_t history);
  void begin_reading(std::uint32_t history);
  void end_reading(std::uint32_t history);
  void record_filled(Restore& restore);
  Clock::TimePoint not_before() const;
  TableAsOfPtr past_again(const TableSchema& schema) const;
  void end_use(Restore& restore);
  void go_on_later(const RestorePtr& restore);
  void run(const RestorePtr& restore, const std::stop_token& stop);
  void advance(const RestorePtr& restore, const std::stop_token& stop);
  TablePtr table_of(const Restore& restore) const;
  static void position(Restore& restore, const Table& table, const Reader& reader);
  bool fill_some(Restore& restore, const Table& table);
  template <typename Source>
  static std::string stage_some(const Table& table, Source& source, Chunk& chunk);
  static void stage(const Table& table, std::string key, std::string_view stored, Chunk& chunk);
  bool commit(const Restore& restore, const Chunk& chunk);
  void finish(Restore& restore);
  void remove(Restore& restore);

  const Parts parts_;
  const bool delays_;
  const ReportWarning report_;
  mutable std::mutex mutex_;  // guards reading_
  std::condition_variable read_;
  // Restores that read a history, by the history's number.
  std::map<std::uint32_t, std::size_t> reading_;
};

}  // namespace magneto::storage
