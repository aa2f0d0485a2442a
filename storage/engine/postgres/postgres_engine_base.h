#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/locking_engine.h"
#include "storage/engine/postgres/connection_pool.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/postgres/postgres_options.h"
#include "storage/engine/postgres/read_queue.h"
#include "storage/engine/postgres/shared_statements.h"
#include "storage/engine/tree_registry.h"

namespace magneto::storage {

// The common part of engines over PostgreSQL, however many servers use the store: reads and the
// schema.
class PostgresEngineBase : public LockingEngine {
 public:
  // Makes the schema of a new store. Throws EngineError if the store has a newer format.
  explicit PostgresEngineBase(const PostgresOptions& options);

  bool is_durable() const final { return true; }
  bool commit_waits() const final { return true; }
  std::size_t max_key_bytes() const final;
  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) final;
  PinnedValue get(const Tree& tree, std::string_view key) const final;
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const final;
  using Engine::scan;
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const final;
  SnapshotPtr snapshot() final;
  bool keeps_replaced() const final { return false; }
  void clear(Tree& tree) final;
  std::vector<Counted> counted(std::span<const std::string> keys) const final;
  void forget_counted(std::string_view prefix) final;
  Version shared_since() const final { return shared_since_; }
  void require_format(int format) final { run_alone(statements_.raise_format(), {format}); }
  std::uint64_t estimate_size(const Tree& /*tree*/) const final { return 0; }
  // A full disk is reported until a write succeeds, but not for long without a further attempt: a
  // load balancer may send no writes while the server says that it is not ready.
  std::string describe_refusal() final;

 protected:
  // Executes one statement in a transaction of its own, under the lease of this server.
  virtual QueryResult run_alone(const Statement& statement, const Arguments& arguments) = 0;

  void check_format();
  // Finds out whether servers ever shared the store. Call it when the lease is held.
  void find_shared_since();
  // Warns of settings of the database that can lose acknowledged writes.
  void check_settings(const PostgresOptions& options);
  // Throws EngineError if a key is too long.
  static void check_keys(const WriteBatch& batch);
  // Calls `commit`, and takes note of a full disk.
  template <typename Commit>
  auto commit_noting(const Commit& commit) {
    try {
      auto result = commit();
      if (last_full_.load(std::memory_order_relaxed) != kNever) last_full_ = kNever;
      return result;
    } catch (const StatementError& error) {
      note(error);
      throw;
    }
  }
  std::size_t committing_connections() const { return std::max<std::size_t>(connections_ / 4, 1); }
  // Between two attempts to reach the database.
  void wait(bool is_lost);
  // The statistics that do not depend on the lease.
  SharedStoreStatistics counted_statistics() const;

  const StoreAddress address_;
  const SharedStatements statements_;
  const std::size_t connections_;
  const std::function<void()> on_unreachable_;
  PostgresCounters counters_;
  mutable ConnectionPool readers_{address_, connections_ - committing_connections(), counters_};
  const RunRead run_ = [this](const Statement& statement, const Arguments& arguments) {
    Effort::before_waiting();
    return readers_.read(
        [&](PostgresConnection& connection) { return connection.run(statement, arguments); });
  };
  mutable ReadQueue reads_{run_, statements_};
  const ReadRows read_ = [this](ColumnFamily family, std::span<const std::string_view> keys,
                                std::span<FoundRow> rows) { reads_.read(family, keys, rows); };

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 2;

  void make_schema();
  void note(const StatementError& error);

  Version shared_since_ = 0;
  std::atomic<int> snapshots_{0};
  std::atomic<std::int64_t> last_full_{kNever};  // when a commit was refused; in seconds
  const std::shared_ptr<TreeRegistry> registry_ = std::make_shared<TreeRegistry>();
};

// The number of batches committed before a snapshot of such an engine was taken.
std::uint64_t batches_before(const Snapshot& snapshot);

}  // namespace magneto::storage
