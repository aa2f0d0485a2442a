#include "storage/engine/postgres/postgres_engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "storage/engine/locking_engine.h"
#include "storage/engine/postgres/connection_pool.h"
#include "storage/engine/postgres/group_commit.h"
#include "storage/engine/postgres/postgres_cursor.h"
#include "storage/engine/postgres/postgres_lease.h"
#include "storage/engine/postgres/postgres_tree.h"
#include "storage/engine/postgres/statements.h"
#include "storage/engine/store_format.h"
#include "storage/engine/tree_registry.h"
#include "storage/messages/postgres_messages.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kDiskFull = "53100";  // SQLSTATE
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 2;

std::int64_t steady_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The values of a family's keys, of which a key may be read twice.
void read_many(const Statement& statement, std::span<const KeyRead> reads,
               std::span<const std::size_t> places, std::span<PinnedValue> values,
               const RunRead& run) {
  std::vector<std::string_view> keys;
  keys.reserve(places.size());
  for (const std::size_t place : places) keys.push_back(reads[place].key);
  Arguments arguments;
  arguments.add_array(keys);
  const QueryResult found = run(statement, arguments);
  std::map<std::string_view, std::size_t> rows;
  for (std::size_t row = 0; row < found.rows(); ++row) rows.emplace(found.bytes(row, 0), row);
  for (const std::size_t place : places) {
    const auto row = rows.find(reads[place].key);
    values[place] = row == rows.end() ? PinnedValue() : found.pin(row->second, 1);
  }
}

void get_with(const RunRead& run, const Statements& statements, std::span<const KeyRead> reads,
              std::span<PinnedValue> values) {
  std::array<std::vector<std::size_t>, kFamilyCount> places;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    places[static_cast<std::size_t>(reads[i].tree->family())].push_back(i);
  }
  for (std::size_t family = 0; family < kFamilyCount; ++family) {
    if (places[family].empty()) continue;
    read_many(statements.get_many(static_cast<ColumnFamily>(family)), reads, places[family], values,
              run);
  }
}

PinnedValue get_with(const RunRead& run, const Statements& statements, const Tree& tree,
                     std::string_view key) {
  Arguments arguments;
  arguments.add_bytes(key);
  const QueryResult found = run(statements.get(tree.family()), arguments);
  return found.rows() == 0 ? PinnedValue() : found.pin(0, 0);
}

// A transaction that reads only, on a connection of its own. The database keeps what it may read.
class PostgresSnapshot final : public Snapshot {
 public:
  // `count`: of the snapshots that exist.
  PostgresSnapshot(const StoreAddress& address, const Statements& statements,
                   std::uint64_t batches_before, std::atomic<int>& count)
      : statements_(statements),
        batches_before_(batches_before),
        count_(count),
        connection_(address) {
    connection_.execute(Statements::begin_snapshot());
    connection_.run(statements_.read_format(), {});  // the first statement takes the snapshot
  }
  ~PostgresSnapshot() override { --count_; }
  PostgresSnapshot(const PostgresSnapshot&) = delete;
  PostgresSnapshot& operator=(const PostgresSnapshot&) = delete;

  std::uint64_t batches_before() const { return batches_before_; }

  using Snapshot::get;
  using Snapshot::scan;
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return get_with(run_, statements_, tree, key);
  }
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const override {
    get_with(run_, statements_, reads, values);
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return make_postgres_cursor(run_, statements_, PostgresTree::of(tree), lower, upper, direction,
                                hint);
  }

 private:
  QueryResult run(const Statement& statement, const Arguments& arguments) const {
    Effort::before_waiting();
    const std::lock_guard lock(mutex_);
    if (!connection_.is_usable()) throw EngineError(messages::kSnapshotLost);
    return connection_.run(statement, arguments);
  }

  const Statements& statements_;
  const std::uint64_t batches_before_;
  std::atomic<int>& count_;
  mutable std::mutex mutex_;  // guards connection_
  mutable PostgresConnection connection_;
  const RunRead run_ = [this](const Statement& statement, const Arguments& arguments) {
    return run(statement, arguments);
  };
};

class PostgresEngine final : public LockingEngine {
 public:
  explicit PostgresEngine(const PostgresOptions& options)
      : address_(options.url, options.password),
        statements_(options.schema),
        connections_(std::max<std::size_t>(options.connections, 2)),
        on_unreachable_(options.on_unreachable) {
    make_schema();
    check_format();
    lease_ = std::make_unique<PostgresLease>(
        address_, statements_,
        PostgresLease::Settings{options.lease, options.own_address, options.on_lost,
                                options.on_wait, options.on_warning},
        options.stop);
    check_format();  // the holder may have changed it
    check_settings(options);
    commits_ =
        std::make_unique<GroupCommit>(address_, statements_, lease_->epoch(),
                                      committing_connections(), counters_, [this] { wait(); });
  }

  bool is_durable() const override { return true; }
  bool commit_waits() const override { return true; }
  bool is_current() const override { return lease_->is_valid(); }
  std::size_t max_key_bytes() const override { return kMaxPostgresKeyBytes; }

  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    return registry_->open({family, prefix, lower, upper}, [&] {
      return new PostgresTree(family, std::move(prefix), std::move(lower), std::move(upper));
    });
  }

  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return get_with(run_, statements_, tree, key);
  }
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const override {
    if (reads.size() == 1) {
      values.front() = get(*reads.front().tree, reads.front().key);
    } else {
      get_with(run_, statements_, reads, values);
    }
  }
  using Engine::scan;
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return make_postgres_cursor(run_, statements_, PostgresTree::of(tree), lower, upper, direction,
                                hint);
  }

  SnapshotPtr snapshot() override {
    Effort::before_waiting();
    if (++snapshots_ > kMaxPostgresSnapshots) {
      --snapshots_;
      throw EngineError(messages::too_many_snapshots(kMaxPostgresSnapshots));
    }
    absl::Cleanup leave = [this] { --snapshots_; };
    const auto deadline = std::chrono::steady_clock::now() + ConnectionPool::kPatience;
    for (;;) {
      const std::uint64_t before = commits_->batches();
      try {
        auto made = std::make_shared<PostgresSnapshot>(address_, statements_, before, snapshots_);
        std::move(leave).Cancel();
        return made;
      } catch (const ConnectionLost&) {
        if (!ConnectionPool::wait_before_retry(deadline)) throw;
      }
    }
  }
  bool changed_since(const Snapshot& snapshot) const override {
    return commits_->batches() != static_cast<const PostgresSnapshot&>(snapshot).batches_before();
  }
  bool keeps_replaced() const override { return false; }

  void commit(const WriteBatch& batch) override {
    if (batch.empty()) return;
    for (const WriteBatch::Operation& operation : batch.operations()) {
      if (operation.key.size() > kMaxPostgresKeyBytes && !operation.is_delete) {
        throw EngineError(messages::key_too_long(operation.key.size(), kMaxPostgresKeyBytes));
      }
    }
    Effort::before_waiting();
    try {
      commits_->commit(batch);
    } catch (const StatementError& error) {
      if (error.state() == kDiskFull) last_full_ = steady_seconds();
      throw;
    }
    if (last_full_.load(std::memory_order_relaxed) != kNever) last_full_ = kNever;
  }
  void clear(Tree& tree) override;
  void require_format(int format) override { commits_->run(statements_.raise_format(), {format}); }
  std::uint64_t estimate_size(const Tree& /*tree*/) const override { return 0; }
  // A full disk is reported until a write succeeds, but not for long without a further attempt: a
  // load balancer may send no writes while the server says that it is not ready.
  std::string describe_refusal() override {
    constexpr std::int64_t kReportedSeconds = 10;
    if (!lease_->is_valid()) return messages::kStoreUnreachable;
    const bool is_full = steady_seconds() - last_full_ < kReportedSeconds;
    return is_full ? messages::kStoreFull : std::string();
  }
  EngineStatistics statistics() const override {
    const auto count = [](const std::atomic<std::uint64_t>& counter) {
      return counter.load(std::memory_order_relaxed);
    };
    EngineStatistics found{};
    found.shared = SharedStoreStatistics{
        .epoch = lease_->epoch(),
        .lease_age = lease_->age(),
        .groups = count(counters_.groups),
        .group_writes = count(counters_.batches),
        .group_time = std::chrono::nanoseconds(count(counters_.group_nanoseconds)),
        .conflicts = count(counters_.conflicts),
        .lost_connections = count(counters_.lost_connections)};
    return found;
  }

 private:
  std::size_t committing_connections() const { return std::max<std::size_t>(connections_ / 4, 1); }
  void make_schema();
  void check_format();
  void check_settings(const PostgresOptions& options);
  // Between two attempts to reach the database.
  void wait() {
    if (lease_->is_lost()) throw StoreTaken(messages::kStoreTaken);
    if (on_unreachable_) on_unreachable_();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }

  const StoreAddress address_;
  const Statements statements_;
  const std::size_t connections_;
  const std::function<void()> on_unreachable_;
  PostgresCounters counters_;
  std::unique_ptr<PostgresLease> lease_;
  std::unique_ptr<GroupCommit> commits_;
  mutable ConnectionPool readers_{address_, connections_ - committing_connections(), counters_};
  const RunRead run_ = [this](const Statement& statement, const Arguments& arguments) {
    Effort::before_waiting();
    return readers_.read(
        [&](PostgresConnection& connection) { return connection.run(statement, arguments); });
  };
  std::atomic<int> snapshots_{0};
  std::atomic<std::int64_t> last_full_{kNever};  // when a commit was refused; of steady_seconds()
  const std::shared_ptr<TreeRegistry> registry_ = std::make_shared<TreeRegistry>();
};

// Two servers that make the same schema at once can get in each other's way. A schema that is there
// is left alone: changing a relation waits for the snapshots of the active server, and the active
// server would wait for the change.
void PostgresEngine::make_schema() {
  constexpr int kAttempts = 5;
  PostgresConnection connection(address_);
  for (int attempt = 1;; ++attempt) {
    try {
      const bool is_there = connection.run(statements_.has_schema(), {}).bytes(0, 0)[0] != 0;
      if (!is_there) connection.execute(statements_.make_schema());
      return;
    } catch (const StatementError&) {
      if (attempt == kAttempts) throw;
    }
  }
}

void PostgresEngine::check_format() {
  PostgresConnection connection(address_);
  const std::int64_t format = connection.run(statements_.read_format(), {}).number(0, 0);
  if (format > StoreFormat::kNewest) {
    throw EngineError(messages::newer_store(static_cast<int>(format), StoreFormat::kNewest));
  }
}

void PostgresEngine::check_settings(const PostgresOptions& options) {
  if (!options.on_warning) return;
  PostgresConnection connection(address_);
  const QueryResult settings = connection.run(statements_.read_settings(), {});
  if (settings.bytes(0, 0) == "off") options.on_warning(messages::kNoFsync);
  if (settings.bytes(0, 1) == "off") options.on_warning(messages::kNoSynchronousCommit);
  if (settings.number(0, 3) != 0 && settings.bytes(0, 2).empty()) {
    options.on_warning(messages::kNoSynchronousStandby);
  }
}

void PostgresEngine::clear(Tree& tree) {
  constexpr std::int64_t kRowsAtOnce = 1'000;
  const PostgresTree& range = PostgresTree::of(tree);
  const bool has_upper = !range.upper().empty();
  Arguments arguments;
  arguments.add_bytes(range.lower());
  if (has_upper) arguments.add_bytes(range.upper());
  arguments.add_number(kRowsAtOnce);
  const Statement& statement = statements_.clear(tree.family(), has_upper);
  for (bool at_end = false; !at_end;) {
    const QueryResult removed = commits_->run(statement, arguments);
    at_end = removed.rows() != 0 && removed.number(0, 0) < kRowsAtOnce;
  }
}

}  // namespace

std::unique_ptr<Engine> open_postgres_engine(const PostgresOptions& options) {
  return std::make_unique<PostgresEngine>(options);
}

}  // namespace magneto::storage
