#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

// Commits batches in groups: a free connection takes all batches that wait, up to kGroupBytes, and
// commits them in one transaction. A batch waits on the thread that commits it; the thread of the
// first batch does the work of the group. Thread-safe.
class GroupCommit {
 public:
  // Of keys and values. A batch that alone has more is a group of its own.
  static constexpr std::size_t kGroupBytes = 1 << 20;

  // `counters` must outlive this object. `wait`: as in CommitConnection.
  GroupCommit(const StoreAddress& address, const Statements& statements, std::int64_t epoch,
              std::size_t connections, PostgresCounters& counters,
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
  // Waits for its turn: a batch, or a statement.
  struct Member {
    const WriteBatch* batch = nullptr;
    PostgresConnection::Call call = {};
    QueryResult result = {};
    std::exception_ptr failure = nullptr;
    bool is_done = false;
    std::condition_variable changed = {};  // it is done, or the first one and a connection is free
  };
  using Group = std::span<Member* const>;

  void wait_and_commit(Member& member);
  std::vector<Member*> make_room();
  // Moves the next group from waiting_ to `group`, which has room for all of them.
  void take_group(std::vector<Member*>& group);
  void commit_group(CommitConnection& connection, Group group) noexcept;
  QueryResult try_commit(CommitConnection& connection, Group group);
  std::int64_t next_version();

  const Statements& statements_;
  PostgresCounters& counters_;
  std::mutex mutex_;  // guards the next two members, and Member::is_done
  std::deque<Member*> waiting_;
  std::vector<std::unique_ptr<CommitConnection>> free_;
  std::atomic<std::int64_t> last_id_{1};
  std::atomic<std::int64_t> last_version_{0};
};

}  // namespace magneto::storage
