#include "storage/engine/postgres/postgres_engine_base.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/postgres/postgres_engine.h"
#include "storage/engine/postgres/postgres_reads.h"
#include "storage/engine/postgres/postgres_tree.h"
#include "storage/engine/store_format.h"
#include "storage/messages/postgres_messages.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kDiskFull = "53100";  // SQLSTATE

std::int64_t steady_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
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
    return get_with(read_, tree, key);
  }
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const override {
    get_with(read_, reads, values);
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
  const ReadRows read_ = [this](ColumnFamily family, std::span<const std::string_view> keys,
                                std::span<FoundRow> rows) {
    read_rows(run_, statements_, family, keys, rows);
  };
};

}  // namespace

std::uint64_t batches_before(const Snapshot& snapshot) {
  return static_cast<const PostgresSnapshot&>(snapshot).batches_before();
}

PostgresEngineBase::PostgresEngineBase(const PostgresOptions& options)
    : address_(options.url, options.password),
      statements_(options.schema),
      connections_(std::max<std::size_t>(options.connections, 2)),
      on_unreachable_(options.on_unreachable) {
  make_schema();
  check_format();
}

std::size_t PostgresEngineBase::max_key_bytes() const { return kMaxPostgresKeyBytes; }

TreePtr PostgresEngineBase::open_tree(ColumnFamily family, std::string prefix, std::string lower,
                                      std::string upper) {
  return registry_->open({family, prefix, lower, upper}, [&] {
    return new PostgresTree(family, std::move(prefix), std::move(lower), std::move(upper));
  });
}

PinnedValue PostgresEngineBase::get(const Tree& tree, std::string_view key) const {
  return get_with(read_, tree, key);
}

void PostgresEngineBase::get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const {
  get_with(read_, reads, values);
}

std::unique_ptr<Cursor> PostgresEngineBase::scan(const Tree& tree, std::string_view lower,
                                                 std::string_view upper, Direction direction,
                                                 ScanHint hint) const {
  return make_postgres_cursor(run_, statements_, PostgresTree::of(tree), lower, upper, direction,
                              hint);
}

SnapshotPtr PostgresEngineBase::snapshot() {
  Effort::before_waiting();
  if (++snapshots_ > kMaxPostgresSnapshots) {
    --snapshots_;
    throw EngineError(messages::too_many_snapshots(kMaxPostgresSnapshots));
  }
  absl::Cleanup leave = [this] { --snapshots_; };
  const auto deadline = std::chrono::steady_clock::now() + ConnectionPool::kPatience;
  for (;;) {
    const std::uint64_t before = counters_.batches.load(std::memory_order_acquire);
    try {
      auto made = std::make_shared<PostgresSnapshot>(address_, statements_, before, snapshots_);
      std::move(leave).Cancel();
      return made;
    } catch (const ConnectionLost&) {
      if (!ConnectionPool::wait_before_retry(deadline)) throw;
    }
  }
}

std::vector<Engine::Counted> PostgresEngineBase::counted(std::span<const std::string> keys) const {
  if (shared_since_ == 0) return Engine::counted(keys);
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  Arguments arguments;
  arguments.add_array(views);
  const QueryResult found = run_(statements_.read_counts(), arguments);
  std::map<std::string_view, Counted> sums;
  for (std::size_t row = 0; row < found.rows(); ++row) {
    sums.emplace(found.bytes(row, 0), Counted{found.number(row, 1), found.number(row, 2)});
  }
  std::vector<Counted> counted;
  counted.reserve(keys.size());
  for (const std::string& key : keys) {
    const auto sum = sums.find(key);
    counted.push_back(sum == sums.end() ? Counted() : sum->second);
  }
  return counted;
}

void PostgresEngineBase::forget_counted(std::string_view prefix) {
  if (shared_since_ == 0) return;
  Effort::before_waiting();
  const std::string upper = prefix_successor(std::string(prefix));
  Arguments arguments;
  arguments.add_bytes(prefix);
  if (!upper.empty()) arguments.add_bytes(upper);
  run_alone(statements_.forget_counts(!upper.empty()), arguments);
}

void PostgresEngineBase::find_shared_since() {
  PostgresConnection connection(address_);
  if (connection.run(statements_.has_group(), {}).bytes(0, 0)[0] == 0) return;
  shared_since_ = static_cast<Version>(connection.run(statements_.read_start(), {}).number(0, 1));
}

void PostgresEngineBase::check_keys(const WriteBatch& batch) {
  for (const WriteBatch::Operation& operation : batch.operations()) {
    if (operation.key.size() > kMaxPostgresKeyBytes && !operation.is_delete) {
      throw EngineError(messages::key_too_long(operation.key.size(), kMaxPostgresKeyBytes));
    }
  }
}

void PostgresEngineBase::note(const StatementError& error) {
  if (error.state() == kDiskFull) last_full_ = steady_seconds();
}

std::string PostgresEngineBase::describe_refusal() {
  constexpr std::int64_t kReportedSeconds = 10;
  if (!is_current()) return messages::kStoreUnreachable;
  const bool is_full = steady_seconds() - last_full_ < kReportedSeconds;
  return is_full ? messages::kStoreFull : std::string();
}

void PostgresEngineBase::wait(bool is_lost) {
  if (is_lost) throw StoreTaken(messages::kStoreTaken);
  if (on_unreachable_) on_unreachable_();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

SharedStoreStatistics PostgresEngineBase::counted_statistics() const {
  const auto count = [](const std::atomic<std::uint64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  SharedStoreStatistics found{};
  found.groups = count(counters_.groups);
  found.group_writes = count(counters_.batches);
  found.group_time = std::chrono::nanoseconds(count(counters_.group_nanoseconds));
  found.conflicts = count(counters_.conflicts);
  found.lost_connections = count(counters_.lost_connections);
  found.scope_conflicts = count(counters_.scope_conflicts);
  found.barriers = count(counters_.barriers);
  found.barrier_time = std::chrono::nanoseconds(count(counters_.barrier_nanoseconds));
  return found;
}

// Two servers that make the same schema at once can get in each other's way. A schema that is there
// is left alone: changing a relation waits for the snapshots of the active server, and the active
// server would wait for the change.
void PostgresEngineBase::make_schema() {
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

void PostgresEngineBase::check_format() {
  PostgresConnection connection(address_);
  const std::int64_t format = connection.run(statements_.read_format(), {}).number(0, 0);
  if (format > StoreFormat::kNewest) {
    throw EngineError(messages::newer_store(static_cast<int>(format), StoreFormat::kNewest));
  }
}

void PostgresEngineBase::check_settings(const PostgresOptions& options) {
  if (!options.on_warning) return;
  PostgresConnection connection(address_);
  const QueryResult settings = connection.run(statements_.read_settings(), {});
  if (settings.bytes(0, 0) == "off") options.on_warning(messages::kNoFsync);
  if (settings.bytes(0, 1) == "off") options.on_warning(messages::kNoSynchronousCommit);
  if (settings.number(0, 3) != 0 && settings.bytes(0, 2).empty()) {
    options.on_warning(messages::kNoSynchronousStandby);
  }
}

void PostgresEngineBase::clear(Tree& tree) {
  constexpr std::int64_t kRowsAtOnce = 1'000;
  const PostgresTree& range = PostgresTree::of(tree);
  const bool has_upper = !range.upper().empty();
  Arguments arguments;
  arguments.add_bytes(range.lower());
  if (has_upper) arguments.add_bytes(range.upper());
  arguments.add_number(kRowsAtOnce);
  const Statement& statement = statements_.clear(tree.family(), has_upper);
  for (bool at_end = false; !at_end;) {
    const QueryResult removed = run_alone(statement, arguments);
    at_end = removed.rows() != 0 && removed.number(0, 0) < kRowsAtOnce;
  }
}

}  // namespace magneto::storage
