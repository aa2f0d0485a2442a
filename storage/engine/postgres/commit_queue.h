#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

// Writes that wait for a connection which commits. A free connection takes a group of those that
// wait. A write waits on the thread that commits it; the thread of the first one does the work of
// the group. If the database refuses a group, each write of it is committed alone. Thread-safe.
class CommitQueue {
 public:
  // Of keys and values. A write that alone has more is a group of its own.
  static constexpr std::size_t kGroupBytes = 1 << 20;

  // `counters` must outlive this object.
  explicit CommitQueue(PostgresCounters& counters) : counters_(counters) {}
  virtual ~CommitQueue() = default;
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  // Executes one statement in a transaction of its own. The result has no rows if it is lost.
  QueryResult run(const Statement& statement, const Arguments& arguments);

 protected:
  // A write, or a statement, that waits for its turn.
  struct Waiting {
    PostgresConnection::Call call = {};  // of a statement, which is a group of its own
    QueryResult result = {};
    bool is_statement() const { return call.statement != nullptr; }

    std::exception_ptr failure = nullptr;
    bool is_done = false;
    std::condition_variable changed = {};  // it is done, or the first one and a connection is free
  };
  using Group = std::span<Waiting* const>;

  void add(std::unique_ptr<CommitConnection> connection) { free_.push_back(std::move(connection)); }
  // Returns when the write is done; throws its failure.
  void wait_and_commit(Waiting& write);

  // Moves the next group, at least the first write, to `group`, which has room for all of them.
  virtual void take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) = 0;
  // Throws StatementError if the database refuses the group.
  virtual void commit_writes(CommitConnection& connection, Group group) = 0;
  static std::size_t bytes_of(const WriteBatch& batch);

  PostgresCounters& counters_;

 private:
  // Sets the failures of writes that are not committed.
  void commit_group(CommitConnection& connection, Group group) noexcept;
  std::vector<Waiting*> make_room();

  std::mutex mutex_;  // guards the next two members, and Waiting::is_done
  std::deque<Waiting*> waiting_;
  std::vector<std::unique_ptr<CommitConnection>> free_;
};

}  // namespace magneto::storage
