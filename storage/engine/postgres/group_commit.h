#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "storage/engine/postgres/commit_queue.h"

namespace magneto::storage {

// Commits batches in groups: a free connection takes all batches that wait, up to kGroupBytes, and
// commits them in one transaction. Thread-safe.
class GroupCommit final : public CommitQueue {
 public:
  // `counters` must outlive this object. `wait`: as in CommitConnection. Versions of rows are above
  // `last_version`.
  GroupCommit(const StoreAddress& address, const Statements& statements, std::int64_t epoch,
              std::int64_t last_version, std::size_t connections, PostgresCounters& counters,
              const std::function<void()>& wait);

  // Returns when the batch is committed. Throws EngineError; nothing of the batch is applied then,
  // or, after StoreTaken, is known to be.
  void commit(const WriteBatch& batch);

  // Counts a batch before its commit() returns.
  std::uint64_t batches() const { return counters_.batches.load(std::memory_order_acquire); }

 private:
  struct Member final : Commit {
    const WriteBatch* batch = nullptr;
  };
  static const WriteBatch* batch_of(const Waiting& write) {
    return static_cast<const Member&>(write).batch;
  }

  void take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) override;
  void commit_writes(CommitConnection& connection, Group group) override;
  std::int64_t next_version();

  const Statements& statements_;
  const Fence fence_;
  std::atomic<std::int64_t> last_id_{1};
  std::atomic<std::int64_t> last_version_;
};

}  // namespace magneto::storage
