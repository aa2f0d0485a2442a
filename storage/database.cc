#include "storage/database.h"

#include <cstdio>

#include "storage/background/global_index_replicator.h"
#include "storage/background/retention_sweeper.h"
#include "storage/background/statistics_keeper.h"
#include "storage/background/table_lifecycle.h"
#include "storage/background/ttl_sweeper.h"
#include "storage/background/worker.h"
#include "storage/engine/data_directory.h"
#include "storage/engine/memory_engine.h"
#include "storage/engine/rocksdb_engine.h"
#include "storage/index/global_index_queue.h"
#include "storage/table/catalog.h"
#include "storage/table/item_reader.h"
#include "storage/table/item_writer.h"

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

std::unique_ptr<Engine> open_engine(const DatabaseOptions& options) {
  if (options.data_directory.empty()) return make_memory_engine();
  std::unique_ptr<Engine> engine = open_rocksdb_engine({.directory = options.data_directory,
                                                        .sync_writes = options.sync_writes,
                                                        .memory_budget = options.memory_budget});
  if (is_open_to_others(options.data_directory)) {
    reporter(options)("other users can enter data directory " + options.data_directory +
                      "; chmod -R go= " + options.data_directory + " keeps them out");
  }
  return engine;
}

}  // namespace

// In the order of dependence: what stands below uses what stands above, and ends first.
struct Database::State {
  State(const DatabaseOptions& options, const Clock& wall_clock, std::unique_ptr<Engine> opened)
      : clock(wall_clock),
        report(reporter(options)),
        indexes_lag(options.global_index_delay.has_value()),
        engine(std::move(opened)),
        catalog(*engine, clock, options.partitions),
        queue(*engine),
        tokens(*engine, clock, options.token_memory),
        writer(*engine, catalog, queue, claims, expiry_alarm, indexes_lag ? &clock : nullptr,
               options.item_collection_limit),
        transactions(writer, claims, tokens),
        statistics(*engine, catalog),
        replicator(*engine, queue, clock, options.global_index_delay, report),
        timers("tables", report),
        jobs("tables", report),
        lifecycle(
            {*engine, clock, catalog, queue, replicator, expiry_alarm, writer.room(), timers, jobs},
            options.control_plane_delay, options.delays_whole_tables),
        sweeper({*engine, clock, catalog, writer, expiry_alarm, queue, replicator},
                options.time_to_live_delay, report),
        retention(catalog, jobs) {}
  ~State();

  void start();
  void save_statistics_later();
  void sweep_tokens_later();
  bool must_relieve_queue() const { return queue.over_limit() && !indexes_lag; }
  // Of every write, before anything of it is done: a write that has to wait does so on a worker.
  void before_write() const {
    if (engine->commit_waits() || must_relieve_queue()) Effort::before_waiting();
  }
  // The next writer does it where this one may not wait.
  void after_write() {
    if (must_relieve_queue() && Effort::thread_may_wait()) replicator.try_to_apply_pushed();
  }

  const Clock& clock;
  const ReportWarning report;
  const bool indexes_lag;
  const std::unique_ptr<Engine> engine;
  Catalog catalog;
  GlobalIndexQueue queue;
  ItemClaims claims;
  ExpiryAlarm expiry_alarm;
  IdempotencyTokens tokens;
  ItemWriter writer;
  TransactionWriter transactions;
  StatisticsKeeper statistics;
  GlobalIndexReplicator replicator;
  Worker timers;  // status changes, statistics: short
  Worker jobs;    // back-fills, reclaiming, counting: long
  TableLifecycle lifecycle;
  TtlSweeper sweeper;
  RetentionSweeper retention;
  bool started = false;
};

// What an earlier process left is read, and the cursors for counting opened, before anything
// changes.
void Database::State::start() {
  catalog.load();
  statistics.load();
  tokens.load();
  if (engine->is_durable()) {
    absl::flat_hash_map<std::uint64_t, std::shared_ptr<const Index>> indexes;
    const auto number = [](std::uint64_t table, std::uint16_t index) {
      return table << 16 | index;
    };
    for (const TablePtr& table : catalog.tables()) {
      for (const auto& index : table->indexes) {
        indexes.emplace(number(table->schema.number, index->schema.number), index);
      }
    }
    queue.load([&](std::uint32_t table, std::uint16_t index) {
      const auto found = indexes.find(number(table, index));
      return found == indexes.end() ? nullptr : found->second;
    });
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

void Database::State::save_statistics_later() {
  timers.post_after(kStatisticsInterval, [this](const std::stop_token&) {
    statistics.save();
    save_statistics_later();
  });
}

void Database::State::sweep_tokens_later() {
  jobs.post_after(kTokenSweepInterval, [this](const std::stop_token&) {
    tokens.sweep();
    sweep_tokens_later();
  });
}

Database::State::~State() {
  sweeper.stop();
  jobs.stop();
  timers.stop();
  replicator.stop();
  if (!started) return;
  try {
    if (!indexes_lag) replicator.apply_pushed();
    statistics.close();
  } catch (const EngineError& error) {
    report(std::string("closing: ") + error.what());
  }
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::~Database() = default;

std::unique_ptr<Database> Database::open(const DatabaseOptions& options, const Clock& clock) {
  return open(options, clock, open_engine(options));
}

std::unique_ptr<Database> Database::open(const DatabaseOptions& options, const Clock& clock,
                                         std::unique_ptr<Engine> engine) {
  auto state = std::make_unique<State>(options, clock, std::move(engine));
  state->start();
  return std::unique_ptr<Database>(new Database(std::move(state)));
}

TablePtr Database::find_table(std::string_view name) const { return state_->catalog.find(name); }

std::vector<std::string> Database::list_tables(std::string_view exclusive_start,
                                               std::size_t limit) const {
  return state_->catalog.list(exclusive_start, limit);
}

std::size_t Database::table_count() const { return state_->catalog.size(); }

bool Database::commit_waits() const { return state_->engine->commit_waits(); }

TablePtr Database::create_table(TableSchema schema) {
  Effort::before_waiting();
  return state_->lifecycle.create_table(std::move(schema));
}

TablePtr Database::delete_table(std::string_view name) {
  Effort::before_waiting();
  return state_->lifecycle.delete_table(name);
}

TablePtr Database::update_table(std::string_view name,
                                absl::FunctionRef<void(TableSchema& schema)> change) {
  Effort::before_waiting();
  return state_->lifecycle.update_table(name, change);
}

StoredItem Database::get(const Table& table, std::string_view key) {
  return read_item(*state_->engine, table, key);
}

WriteOutcome Database::write(const ItemWrite& write) {
  state_->before_write();
  WriteOutcome outcome = state_->writer.write(write);
  state_->after_write();
  return outcome;
}

std::vector<WriteOutcome> Database::write_all(std::span<const ItemWrite> writes) {
  state_->before_write();
  std::vector<WriteOutcome> outcomes = state_->writer.write_all(writes);
  state_->after_write();
  return outcomes;
}

TransactionResult Database::transact(const TransactionRequest& request) {
  state_->before_write();
  TransactionResult result = state_->transactions.run(request);
  state_->after_write();
  return result;
}

std::vector<bool> Database::conflicts(std::span<const std::string_view> keys) const {
  return state_->claims.conflicts(keys);
}

std::vector<StoredItem> Database::get_all(
    std::span<const std::pair<const Table*, std::string_view>> keys) {
  return read_items(*state_->engine, keys);
}

std::vector<std::shared_ptr<const StreamLog>> Database::list_streams(
    std::string_view table_name, std::string_view exclusive_start, std::size_t limit) const {
  return state_->catalog.streams().list(table_name, exclusive_start, limit);
}

std::shared_ptr<const StreamLog> Database::find_stream(std::string_view arn) const {
  return state_->catalog.streams().find(arn);
}

StreamStatus Database::stream_status(const StreamLog& stream) const {
  return state_->lifecycle.stream_status(stream);
}

std::int64_t Database::collection_size(const Table& table, AttributeView partition) {
  return state_->writer.collections().size(table, partition);
}

ItemCursor Database::scan(const Table& table, const Index* index, KeyRange range,
                          Direction direction) {
  if (index == nullptr) {
    return ItemCursor(*state_->engine, table.partitions, std::move(range), direction);
  }
  if (index->schema.is_global && !state_->indexes_lag) state_->replicator.try_to_apply_pushed();
  return ItemCursor(*state_->engine, index->partitions, std::move(range), direction);
}

const Clock& Database::clock() const { return state_->clock; }

DataRoom& Database::room() { return state_->writer.room(); }

bool Database::is_durable() const { return state_->engine->is_durable(); }

void Database::settle() {
  state_->retention.sweep();
  state_->tokens.sweep();
  state_->jobs.drain();
  state_->timers.drain();
  state_->jobs.drain();
  state_->sweeper.sweep({});
  state_->replicator.wait_for_pushed({});
}

}  // namespace magneto::storage
