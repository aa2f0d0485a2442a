#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "storage/background/control_plane_delay.h"
#include "storage/background/reclaimer.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/backup/backup_catalog.h"
#include "storage/table/data_room.h"

namespace magneto::storage {

// Restores tables from backups: makes them, CREATING, fills them with their index entries in the
// background, then makes them ACTIVE. Nobody else writes into such a table, and it is filled in the
// order of its keys, each commit whole: so who goes on, after a restart or in a fork, does so behind
// its last item. One that cannot be filled, for want of room, is removed with a warning.
// Thread-safe.
class TableRestores final : public TableFollowUp {
 public:
  struct Parts {
    Engine& engine;
    Catalog& catalog;
    BackupCatalog& backups;
    Reclaimer& reclaimer;
    DataRoom& room;
    ControlPlaneDelay& delay;
    Worker& jobs;
  };
  // With `delays` a table is CREATING for as long as the control-plane delay, at least.
  TableRestores(const Parts& parts, bool delays, ReportWarning report)
      : parts_(parts), delays_(delays), report_(std::move(report)) {}

  // `schema` is that of a new table, with keys like the backup's; where it is from is filled in.
  RestoreResult begin(const BackupPtr& backup, TableSchema schema);

  void resume() override;
  void follow(const Catalog::Edited& /*edited*/) override {}
  void drop(const Table& /*table*/) override {}  // the next step sees it

 private:
  // A table that is being filled.
  struct Restore {
    TableName name;
    std::uint32_t number;         // of the table
    BackupPtr backup;             // nullptr: there is none to go on with
    Clock::TimePoint not_before;  // is it ACTIVE
    bool is_positioned = false;
    bool is_filled = false;
    std::string next = {};     // the item of the backup to go on with
    std::string failure = {};  // why the table is to be removed
  };
  using RestorePtr = std::shared_ptr<Restore>;
  struct Chunk;

  Clock::TimePoint not_before() const;
  void go_on_later(const RestorePtr& restore);
  void run(const RestorePtr& restore, const std::stop_token& stop);
  void advance(const RestorePtr& restore, const std::stop_token& stop);
  TablePtr table_of(const Restore& restore) const;
  static void position(Restore& restore, const Table& table, const Reader& reader);
  bool fill_some(Restore& restore, const Table& table);
  static void stage(const Table& table, std::string key, std::string_view stored, Chunk& chunk);
  bool commit(const Restore& restore, const Chunk& chunk);
  void finish(const Restore& restore);
  void remove(const Restore& restore);

  const Parts parts_;
  const bool delays_;
  const ReportWarning report_;
};

}  // namespace magneto::storage
