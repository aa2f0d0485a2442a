#include "storage/database_store.h"

#include <cstdio>
#include <utility>

#include "storage/engine/cache/cached_engine.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/engine/postgres/postgres_engine.h"
#include "storage/engine/rocksdb/data_directory.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "storage/messages/background_messages.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kStatisticsInterval{1000};
// Tokens that expire within one interval are removed together.
constexpr std::chrono::seconds kTokenSweepInterval{1};

ReportWarning reporter(const DatabaseOptions& options) {
  if (options.report_warning) return options.report_warning;
  return [](std::string_view warning) {
    std::fputs(std::string("warning: ").append(warning).append("\n").c_str(), stderr);
  };
}

SharedThread* thread_for(const DatabaseOptions& options, SharedThread BackgroundThreads::*which) {
  return options.background == nullptr ? nullptr : &(options.background->*which);
}

}  // namespace

DatabaseStore::DatabaseStore(const DatabaseOptions& options, const Clock& wall_clock,
                             std::shared_ptr<Engine> opened)
    : clock(wall_clock),
      report(reporter(options)),
      lag(options.global_index_delay),
      replica_lag(options.replication_delay),
      engine(std::move(opened)),
      stale_reads(*engine),
      changes(*engine),
      catalog(*engine, clock, changes, options.partitions, options.reader_slots),
      tokens(*engine, clock, options.token_memory),
      token_records(engine->group() == nullptr ? nullptr
                                               : std::make_unique<TokenRecords>(*engine, clock)),
      writer(*engine, catalog, changes, claims, expiry_timer, lag, clock,
             options.item_collection_limit),
      transactions(writer, claims, tokens, token_records.get()),
      statistics(*engine, catalog),
      timers("tables", report, thread_for(options, &BackgroundThreads::tasks)),
      jobs("tables", report, thread_for(options, &BackgroundThreads::jobs)),
      sending(std::string(messages::kGlobalTables), report,
              thread_for(options, &BackgroundThreads::jobs)),
      replicator(changes, clock, lag, report, timers.shares_thread() ? &timers : nullptr),
      delay(options.control_plane_delay, clock, timers),
      backfill(*engine, changes, replicator, writer.room(), clock),
      reclaimer(*engine, catalog, jobs),
      streams(*engine, delay, timers),
      builds(backfill, catalog, delay, jobs),
      vector_sizes(*engine, catalog, count_pauses, jobs),
      vector_files(*engine, catalog, jobs),
      time_to_live(*engine, catalog, expiry_timer, delay, jobs),
      replica_sender({*engine, clock, catalog, writer, replica_lag, sending}, report),
      replica_fill(*engine, writer),
      global_tables({*engine, catalog, replica_sender, replica_fill, lifecycle, expiry_timer, jobs},
                    report),
      retention(catalog, clock, jobs),
      histories({*engine, catalog, clock, reclaimer, timers}, report),
      backups(*engine, clock, catalog, reclaimer),
      backup_copies({*engine, backups, writer.room(), delay, jobs}, options.delays_whole_tables,
                    report),
      restores({*engine, catalog, backups, reclaimer, writer.room(), delay, jobs},
               options.delays_whole_tables, report),
      lifecycle(catalog, delay, options.delays_whole_tables, follow_ups()),
      sweeper({*engine, clock, catalog, writer, expiry_timer, changes, replicator, replica_sender},
              options.time_to_live_delay, report, timers.shares_thread() ? &timers : nullptr),
      token_sweep(jobs, [this](const std::stop_token&) { sweep_tokens(); }),
      duties(engine->group() == nullptr
                 ? nullptr
                 : std::make_unique<GroupDuties>(
                       GroupDuties::Parts{*engine->group(), catalog, lifecycle, expiry_timer,
                                          statistics, *token_records, timers, jobs},
                       [this] { take_over_databases(); })),
      watch(clock,
            [this](Clock::TimePoint) {
              if (tokens.next_expiry()) token_sweep.due_now();
            }),
      is_still(options.is_still) {
  writer.room().set_whole(options.whole_room);
  writer.on_queued([this] { replica_sender.look(); });
  catalog.history_budget().set_limit(options.history_limit);
  tokens.on_first([this] { token_sweep.due_now(); });
}

// Servers that share a store have no vector indexes. They have no replicas, histories, backups and
// restores either: each of these would take the work of another server for that of an earlier process.
TableLifecycle::FollowUps DatabaseStore::follow_ups() {
  TableLifecycle::FollowUps found = {&reclaimer, &streams, &builds, &time_to_live, &retention};
  if (engine->group() != nullptr) return found;
  for (TableFollowUp* const follow_up : std::initializer_list<TableFollowUp*>{
           &vector_sizes, &vector_files, &global_tables, &histories, &backup_copies, &restores}) {
    found.push_back(follow_up);
  }
  return found;
}

// Reads what an earlier process left, and opens the cursors for counting, before anything changes.
void DatabaseStore::start() {
  catalog.load();
  backups.load();
  statistics.load();
  vector_files.open(statistics.last_close());
  if (token_records != nullptr) {
    token_records->load();
  } else {
    tokens.load();
  }
  if (engine->is_durable()) {
    ChangeLog::Appliers appliers;
    for (const TablePtr& table : catalog.tables()) {
      for (const auto& index : table->indexes) {
        if (index->applier == nullptr) continue;
        appliers.emplace(std::pair(table->schema.number, index->schema.number), index->applier);
      }
    }
    changes.load(appliers);
  }
  if (is_still) return;
  histories.open();
  if (engine->is_durable() && engine->group() == nullptr) {
    if (statistics.needs_recount()) {
      jobs.post([this](const std::stop_token& stop) { statistics.recount(count_pauses, stop); });
    }
    save_statistics_later();
  }
  begin_background();
}

void DatabaseStore::start(const StoreSnapshot& snapshot, OverlayEngine& overlay) {
  catalog.fork_from(snapshot.catalog,
                    [&](const TreePtr& below) { return overlay.overlay_of(below); });
  backups.fork_from(snapshot.backups,
                    [&](const TreePtr& below) { return overlay.overlay_of(below); });
  tokens.fork_from(snapshot.tokens, snapshot.is_too_deep());
  begin_background();
}

void DatabaseStore::begin_background() {
  if (duties != nullptr) {
    duties->begin();
  } else {
    lifecycle.resume();
  }
  replica_sender.begin([this] { expiry_timer.note(0); });
  // Without tables, a store in memory needs no threads of its own yet. A table is not created if
  // its threads cannot be.
  catalog.before_create([this] { begin_table_work(); });
  if (engine->is_durable() || jobs.shares_thread() || !catalog.tables().empty()) begin_table_work();
  if (tokens.next_expiry()) token_sweep.due_now();
  started = true;
}

void DatabaseStore::begin_table_work() {
  const std::lock_guard lock(table_work_mutex);
  if (has_table_work) return;
  replicator.start();
  sweeper.start();
  retention.start();
  has_table_work = true;
}

bool DatabaseStore::settle(const std::stop_token& stop) {
  retention.sweep();
  histories.tend();
  tokens.sweep();
  if (token_records != nullptr) token_records->sweep();
  jobs.drain(stop);
  timers.drain(stop);
  jobs.drain(stop);
  // The sweep goes on while the indexes follow its deletions. Replica records are sent before it,
  // and again after it.
  sending.drain(stop);
  while (!sweeper.sweep(stop) && !stop.stop_requested()) {
    replicator.wait_for_all_but_held(stop);
    if (changes.over_limit()) break;
  }
  sending.drain(stop);
  replicator.wait_for_all_but_held(stop);
  return !stop.stop_requested();
}

void DatabaseStore::keep_state() {
  if (!lag.is_on()) replicator.try_to_settle_all();
  stale_reads.record_commit();
}

void DatabaseStore::save_statistics_later() {
  timers.post_after(kStatisticsInterval, [this](const std::stop_token&) {
    statistics.save();
    save_statistics_later();
  });
}

void DatabaseStore::sweep_tokens() {
  tokens.sweep();
  if (const auto next = tokens.next_expiry())
    token_sweep.due_by(clock, *next + kTokenSweepInterval);
}

DatabaseStore::~DatabaseStore() {
  if (duties != nullptr) duties->end();
  sweeper.stop();
  jobs.stop();
  sending.stop();
  timers.stop();
  replicator.stop();
  // An engine in memory loses everything anyway.
  if (!started || !engine->is_durable()) return;
  try {
    if (!lag.is_on()) replicator.settle_all();
    histories.close();
    statistics.close(vector_files.close());
  } catch (const EngineError& error) {
    report(messages::closing_failed(error.what()));
  }
}

std::unique_ptr<Engine> open_engine_for(const DatabaseOptions& options) {
  if (options.store && options.store->shared) return open_postgres_engine(*options.store);
  if (options.store) {
    return make_cached_engine(open_postgres_engine(*options.store), options.memory_budget);
  }
  if (options.data_directory.empty()) {
    return make_memory_engine(options.background == nullptr ? KeyLocks::kStripes
                                                            : KeyLocks::kFewStripes);
  }
  // If the folder held no data yet, it was created with the user's usual mode.
  const bool held_data = is_data_directory(options.data_directory);
  std::unique_ptr<Engine> engine = durable_engine_over(options, [&](std::uint64_t budget) {
    return open_rocksdb_engine({.directory = options.data_directory,
                                .sync_writes = options.sync_writes,
                                .memory_budget = budget});
  });
  if (held_data && is_open_to_others(options.data_directory)) {
    reporter(options)(messages::open_to_others(options.data_directory));
  }
  return engine;
}

// Half of the memory is for whole trees, half for RocksDB.
std::unique_ptr<Engine> durable_engine_over(
    const DatabaseOptions& options,
    const std::function<std::unique_ptr<Engine>(std::uint64_t budget)>& open) {
  const std::uint64_t budget = options.memory_budget / 2;
  return make_cached_engine(open(budget), budget);
}

}  // namespace magneto::storage
