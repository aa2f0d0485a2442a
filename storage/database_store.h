#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>

#include "storage/background/control_plane_delay.h"
#include "storage/background/count_pauses.h"
#include "storage/background/global_tables.h"
#include "storage/background/group_duties.h"
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
#include "storage/background/vector_files.h"
#include "storage/background/vector_sizes.h"
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

// The state that all databases of a store share: the engine, the components above it and the
// background threads. Only Database and Databases use it. Members are in order of dependence: a
// later member uses earlier ones and is destroyed before them.
struct DatabaseStore {  // NOLINT(clang-analyzer-optin.performance.Padding)
  DatabaseStore(const DatabaseOptions& options, const Clock& wall_clock,
                std::shared_ptr<Engine> opened);
  ~DatabaseStore();

  void start();
  // Used in place of start(): begins with the state of another store, over whose engine this
  // store's own engine lies.
  void start(const StoreSnapshot& snapshot, OverlayEngine& overlay);
  void begin_background();
  // Begins the work that only tables need.
  void begin_table_work();
  TableLifecycle::FollowUps follow_ups();
  // For stale reads: keeps the state that the last write leaves, in global indexes too.
  void keep_state();
  // False if a stop was requested before all work was done.
  bool settle(const std::stop_token& stop);
  void save_statistics_later();
  void sweep_tokens();
  bool must_relieve_changes() const {
    return changes.over_limit() && (!lag.is_on() || lag.is_held());
  }
  // Called before every write does anything: a write that has to wait runs on a worker.
  void before_write() const {
    if (engine->commit_waits() || must_relieve_changes()) Effort::before_waiting();
  }
  // If this writer may not wait, the next one settles the indexes.
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
  const std::unique_ptr<TokenRecords> token_records;  // nullptr unless servers share the store
  ItemWriter writer;
  TransactionWriter transactions;
  CountPauses count_pauses;
  StatisticsKeeper statistics;
  // status changes and statistics; as a client also indexes and time to live: short work
  Worker timers;
  Worker jobs;     // back-fills, reclaiming, counting, retention, backups: long work
  Worker sending;  // to replicas
  IndexReplicator replicator;
  ControlPlaneDelay delay;
  IndexBackfill backfill;
  // Components that react when tables change. To add a new kind of thing that tables have, add it
  // here and to the list that the lifecycle receives.
  Reclaimer reclaimer;
  StreamTransitions streams;
  IndexBuilds builds;
  VectorSizes vector_sizes;
  VectorFiles vector_files;
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
  std::function<void()> take_over_databases = [] {};  // set before start()
  const std::unique_ptr<GroupDuties> duties;          // nullptr unless servers share the store
  const Clock::Watch watch;
  const bool is_still;
  bool started = false;
  std::mutex table_work_mutex;
  bool has_table_work = false;  // guarded by table_work_mutex
};

// Opens the engine that the options select. Throws EngineError with a sentence for the user.
std::unique_ptr<Engine> open_engine_for(const DatabaseOptions& options);
// The engine of a data directory. `open` returns the engine that stores the bytes, within the given
// memory budget.
std::unique_ptr<Engine> durable_engine_over(
    const DatabaseOptions& options,
    const std::function<std::unique_ptr<Engine>(std::uint64_t budget)>& open);

}  // namespace magneto::storage
