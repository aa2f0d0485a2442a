#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/postgres/group_queue.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

// Writes that wait for a connection which commits. If the database refuses a group of them, each
// write of it is committed alone. Thread-safe.
class CommitQueue : public GroupQueue {
 public:
  // Of keys and values. A write that alone has more is a group of its own.
  static constexpr std::size_t kGroupBytes = 1 << 20;

  // `counters` must outlive this object.
  explicit CommitQueue(PostgresCounters& counters) : counters_(counters) {}

  // Executes one statement in a transaction of its own. The result has no rows if it is lost.
  QueryResult run(const Statement& statement, const Arguments& arguments);

 protected:
  // A write, or a statement.
  struct Commit : Waiting {
    PostgresConnection::Call call = {};  // of a statement, which is a group of its own
    QueryResult result = {};
    bool is_statement() const { return call.statement != nullptr; }
  };
  static Commit& commit_of(Waiting* waiting) { return static_cast<Commit&>(*waiting); }

  void add(std::unique_ptr<CommitConnection> connection);
  // Throws StatementError if the database refuses the group.
  virtual void commit_writes(CommitConnection& connection, Group group) = 0;
  static std::size_t bytes_of(const WriteBatch& batch);

  PostgresCounters& counters_;

 private:
  void work(std::size_t turn, Group group) noexcept override;

  std::vector<std::unique_ptr<CommitConnection>> connections_;  // one for each turn
};

}  // namespace magneto::storage
