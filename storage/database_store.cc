#include "storage/database_store.h"

#include <cstdio>
#include <utility>

#include "storage/engine/cache/cached_engine.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/engine/rocksdb/data_directory.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "storage/messages/background_messages.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kStatisticsInterval{1000};
constexpr std::chrono::milliseconds kTokenSweepInterval{1000};

ReportWarning reporter(const DatabaseOptions& options) {
  if (options.report_warning) return options.report_warning;
  return [](std::string_view warning) {
    std::fputs(std::string("warning: ").append(warning).append("\n").c_str(), stderr);
  };
}

}  // namespace

DatabaseStore::DatabaseStore(const DatabaseOptions& options, const Clock& wall_clock,
                             std::unique_ptr<Engine> opened)
    : clock(wall_clock),
      report(reporter(options)),
      indexes_lag(options.global_index_delay.has_value()),
      engine(std::move(opened)),
      changes(*engine),
      catalog(*engine, clock, changes, options.partitions),
      tokens(*engine, clock, options.token_memory),
      writer(*engine, catalog, changes, claims, expiry_timer, indexes_lag ? &clock : nullptr,
             options.item_collection_limit),
      transactions(writer, claims, tokens),
      statistics(*engine, catalog),
      replicator(changes, clock, options.global_index_delay, report),
      timers("tables", report),
      jobs("tables", report),
      delay(options.control_plane_delay, clock, timers),
      backfill(*engine, changes, replicator, writer.room(), clock),
      reclaimer(*engine, catalog, jobs),
      streams(*engine, delay, timers),
      builds(backfill, catalog, delay, jobs),
      time_to_live(*engine, catalog, expiry_timer, delay, jobs),
      lifecycle(catalog, delay, options.delays_whole_tables,
                {&reclaimer, &streams, &builds, &time_to_live}),
      sweeper({*engine, clock, catalog, writer, expiry_timer, changes, replicator},
              options.time_to_live_delay, report),
      retention(catalog, jobs) {}

// What an earlier process left is read, and the cursors for counting opened, before anything
// changes.
void DatabaseStore::start() {
  catalog.load();
  statistics.load();
  tokens.load();
  if (engine->is_durable()) {
    ChangeLog::Appliers appliers;
    for (const TablePtr& table : catalog.tables()) {
      for (const auto& index : table->indexes) {
        if (index->applier == nullptr) continue;
        appliers.emplace(std::pair(table->schema.number, index->schema.number), index->applier);
      }
    }
    changes.load(appliers);
    if (statistics.needs_recount()) {
      jobs.post([this](const std::stop_token& stop) { statistics.recount(stop); });
    }
    save_statistics_later();
  }
  lifecycle.resume();
  replicator.start();
  sweeper.start();
  retention.start();
  sweep_tokens_later();
  started = true;
}

void DatabaseStore::save_statistics_later() {
  timers.post_after(kStatisticsInterval, [this](const std::stop_token&) {
    statistics.save();
    save_statistics_later();
  });
}

void DatabaseStore::sweep_tokens_later() {
  jobs.post_after(kTokenSweepInterval, [this](const std::stop_token&) {
    tokens.sweep();
    sweep_tokens_later();
  });
}

DatabaseStore::~DatabaseStore() {
  sweeper.stop();
  jobs.stop();
  timers.stop();
  replicator.stop();
  if (!started) return;
  try {
    if (!indexes_lag) replicator.settle_all();
    statistics.close();
  } catch (const EngineError& error) {
    report(messages::closing_failed(error.what()));
  }
}

std::unique_ptr<Engine> open_engine_for(const DatabaseOptions& options) {
  if (options.data_directory.empty()) return make_memory_engine();
  // Half of the memory is for whole trees, half RocksDB's.
  const std::uint64_t budget = options.memory_budget / 2;
  std::unique_ptr<Engine> engine =
      make_cached_engine(open_rocksdb_engine({.directory = options.data_directory,
                                              .sync_writes = options.sync_writes,
                                              .memory_budget = budget}),
                         budget);
  if (is_open_to_others(options.data_directory)) {
    reporter(options)(messages::open_to_others(options.data_directory));
  }
  return engine;
}

}  // namespace magneto::storage
