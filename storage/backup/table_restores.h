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

// Restores tables from backups, and to points in time: makes them, CREATING, fills them with their index entries in the
// background, then makes them ACTIVE. Nobody else writes into such a table, and it is filled in the
// order of its keys, each commit whole: so who goes on, after a restart or in a fork, does so behind
// its last item. A past table is the same at each look, so this holds for it too: what deletes its source, or
// the history of that, waits until the items were read. A table that cannot be filled, for want of room,
// is removed with a warning. Thread-safe.
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
  // With `delays` a table is CREATING for as long as the control-plane delay, at least.
  TableRestores(const Parts& parts, bool delays, ReportWarning report)
      : parts_(parts), delays_(delays), report_(std::move(report)) {}

  // `schema` is that of a new table, with keys like the backup's; where it is from is filled in. kInUse:
  // another is being restored from the backup, and AWS restores one at a time (captured, October 2026).
  RestoreResult begin(const BackupPtr& backup, TableSchema schema);
  // The same of a table as it was when the clock showed `time` for the last time; nullopt: now.
  RestoreResult begin(const Table& source, std::optional<Clock::TimePoint> time,
                      TableSchema schema);

  // Calls `change`, which changes a table, once no restore reads the history that it ends: a restore that
  // was acknowledged must be able to go on after a kill. `change` calls require_unread() before it changes
  // anything, and is made again when that threw. Ends with NeedsWorker when the server is to end.
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
  // `history`: the number of one that is to end; 0: there is none.
  void require_unread(std::uint32_t history) const;

  void resume() override;
  void follow(const Catalog::Edited& /*edited*/) override {}
  void drop(const Table& /*table*/) override {}  // the next step sees it

 private:
  // A table that is being filled.
  struct Restore {
    TableName name;
    std::uint32_t number;         // of the table
    BackupPtr backup;             // nullptr: it is not from one, or there is none to go on with
    TableAsOfPtr past;            // the same
    Clock::TimePoint not_before;  // is it ACTIVE
    std::uint32_t history = 0;    // that is read; 0: none, or not any more
    bool is_positioned = false;
    bool is_filled = false;
    std::string next = {};     // the item of the source to go on with
    std::string failure = {};  // why the table is to be removed
  };
  using RestorePtr = std::shared_ptr<Restore>;
  struct Chunk;

  struct SourceIsRead {
    std::uint32_t history;
  };

  void wait_until_unread(std::uint32_t history);
  void begin_reading(std::uint32_t history);
  void end_reading(std::uint32_t history);
  void note_filled(Restore& restore);
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
  std::map<std::uint32_t, std::size_t>
      reading_;  // by the number of a history: restores that read it
};

}  // namespace magneto::storage
