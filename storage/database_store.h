#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "storage/background/control_plane_delay.h"
#include "storage/background/global_tables.h"
#include "storage/background/history_keeper.h"
#include "storage/background/index_backfill.h"
#include "storage/background/index_builds.h"
#include "storage/background/index_replicator.h"
#include "storage/background/reclaimer.h"
#include "storage/background/replica_fill.h"
#include "storage/background/replica_sender.h"
#include "storage/background/retention_sweeper.h"
#include "storage/background/statistics_keeper.h"
#include "storage/background/stream_transitions.h"
#include "storage/background/table_lifecycle.h"
#include "storage/background/time_to_live_transitions.h"
#include "storage/background/ttl_sweeper.h"
#include "storage/background/worker.h"
#include "storage/backup/backup_catalog.h"
#include "storage/backup/backup_copies.h"
#include "storage/backup/table_restores.h"
#include "storage/database_options.h"
#include "storage/engine/overlay/overlay_engine.h"
#include "storage/index/change_log.h"
#include "storage/index/index_delay.h"
#include "storage/model/effort.h"
#include "storage/store_snapshot.h"
#include "storage/table/catalog.h"
#include "storage/table/item_writer.h"
#include "storage/table/stale_reads.h"
#include "storage/transaction/transaction.h"

namespace magneto::storage {

// What the databases of a process share: the engine, what stands on it and the threads of the
// background, however many databases there are. For Database and Databases alone. In the order of
// dependence: what stands below uses what stands above, and ends first.
struct DatabaseStore {  // NOLINT(clang-analyzer-optin.performance.Padding)
  DatabaseStore(const DatabaseOptions& options, const Clock& wall_clock,
                std::shared_ptr<Engine> opened);
  ~DatabaseStore();

  void start();
  // Instead of it: begins as another store was, over whose engine its own lies.
  void start(const StoreSnapshot& snapshot, OverlayEngine& overlay);
  void begin_background();
  // For stale reads: what the write that was made leaves, in global indexes too.
  void keep_state();
  // False when `stop` was asked to before all was done.
  bool settle(const std::stop_token& stop);
  void save_statistics_later();
  void sweep_tokens();
  bool must_relieve_changes() const {
    return changes.over_limit() && (!lag.is_on() || lag.is_held());
  }
  // Of every write, before anything of it is done: a write that has to wait does so on a worker.
  void before_write() const {
    if (engine->commit_waits() || must_relieve_changes()) Effort::before_waiting();
  }
  // The next writer does it where this one may not wait.
  void after_write() {
    if (stale_reads.is_on()) keep_state();
    if (must_relieve_changes() && Effort::thread_may_wait()) replicator.try_to_settle_all();
  }

  const Clock& clock;
  const ReportWarning report;
  IndexDelay lag;
  IndexDelay replica_lag;
  const std::shared_ptr<Engine> engine;
  StaleReads stale_reads;
  ChangeLog changes;
  Catalog catalog;
  ItemClaims claims;
  ExpiryTimer expiry_timer;
  IdempotencyTokens tokens;
  ItemWriter writer;
  TransactionWriter transactions;
  StatisticsKeeper statistics;
  Worker timers;   // status changes, statistics; as a client, also indexes and time to live: short
  Worker jobs;     // back-fills, reclaiming, counting, retention, backups: long
  Worker sending;  // to replicas
  IndexReplicator replicator;
  ControlPlaneDelay delay;
  IndexBackfill backfill;
  // What follows when tables change. A new kind of thing that tables have is entered here and in
  // the list that the lifecycle is given.
  Reclaimer reclaimer;
  StreamTransitions streams;
  IndexBuilds builds;
  TimeToLiveTransitions time_to_live;
  ReplicaSender replica_sender;
  ReplicaFill replica_fill;
  GlobalTables global_tables;
  RetentionSweeper retention;
  HistoryKeeper histories;
  BackupCatalog backups;
  BackupCopies backup_copies;
  TableRestores restores;
  TableLifecycle lifecycle;
  TtlSweeper sweeper;
  Worker::RecurringTask token_sweep;
  const Clock::Watch watch;
  const bool is_still;
  bool started = false;
};

// The engine that the options ask for. Throws EngineError with a sentence for the user.
std::unique_ptr<Engine> open_engine_for(const DatabaseOptions& options);
// The engine of a data directory: `open` gives the one that keeps the bytes, in the given budget.
std::unique_ptr<Engine> durable_engine_over(
    const DatabaseOptions& options,
    const std::function<std::unique_ptr<Engine>(std::uint64_t budget)>& open);

}  // namespace magneto::storage
