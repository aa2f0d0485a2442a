#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "storage/engine/postgres/commit_queue.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

// Commits batches in groups: a free connection takes all batches that wait, up to kGroupBytes, and
// commits them in one transaction. Thread-safe.
class GroupCommit final : public CommitQueue {
 public:
  // Of keys and values. A batch that alone has more is a group of its own.
  static constexpr std::size_t kGroupBytes = 1 << 20;

  // `counters` must outlive this object. `wait`: as in CommitConnection. Versions of rows are above
  // `last_version`.
  GroupCommit(const StoreAddress& address, const Statements& statements, std::int64_t epoch,
              std::int64_t last_version, std::size_t connections, PostgresCounters& counters,
              const std::function<void()>& wait);

  // Returns when the batch is committed. If the database refuses a group, each batch of it is
  // committed alone, so that only the batch at fault fails. Throws EngineError; nothing of the batch
  // is applied then, or, after StoreTaken, is known to be.
  void commit(const WriteBatch& batch);
  // Executes one statement in a transaction of its own.
  QueryResult run(const Statement& statement, const Arguments& arguments);

  // Counts a batch before its commit() returns.
  std::uint64_t batches() const { return counters_.batches.load(std::memory_order_acquire); }

 private:
  // A batch, or a statement.
  struct Member final : Waiting {
    const WriteBatch* batch = nullptr;
    PostgresConnection::Call call = {};
    QueryResult result = {};
  };
  static Member& member(Waiting* waiting) { return static_cast<Member&>(*waiting); }

  void take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) override;
  void commit_group(CommitConnection& connection, Group group) noexcept override;
  QueryResult try_commit(CommitConnection& connection, Group group);
  std::int64_t next_version();

  const Statements& statements_;
  PostgresCounters& counters_;
  const Fence fence_;
  std::atomic<std::int64_t> last_id_{1};
  std::atomic<std::int64_t> last_version_;
};

}  // namespace magneto::storage
