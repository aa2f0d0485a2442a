#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/postgres/statements.h"

namespace magneto::storage {

// Another server has taken over the store: this process must not use it any more.
class StoreTaken : public EngineError {
 public:
  using EngineError::EngineError;
};

// One connection that commits, under the epoch of this process's lease. Not thread-safe.
//
// Its row in `fence` is written by each of its transactions, with the transaction's number. So a
// commit of an earlier epoch fails. When the connection gets lost in a commit, a new connection
// closes the row: this waits for the transaction, shows whether it was committed, and makes it fail
// if it was not.
class CommitConnection {
 public:
  // `new_id`: returns a number for the row in `fence`, greater than 1 and never used in this epoch.
  // `wait`: called between attempts to connect again; throws when no more shall be made.
  CommitConnection(const StoreAddress& address, const Statements& statements, std::int64_t epoch,
                   std::function<std::int64_t()> new_id, PostgresCounters& counters,
                   std::function<void()> wait);

  // Executes the statements in one transaction and one flight. Returns the result of the last
  // statement. When the connection gets lost, finds out whether the transaction was committed,
  // however long that takes. If it was, returns a result without rows; else executes it again.
  // Throws StatementError when the database refused a statement: nothing is applied. Throws
  // StoreTaken, or an error of `wait`: the transaction may or may not be committed then.
  QueryResult commit(std::span<const PostgresConnection::Call> calls);

 private:
  void connect();
  // Whether the last transaction was committed.
  bool settle();
  QueryResult try_commit(std::span<const PostgresConnection::Call> calls);
  void roll_back();
  void begin_anew();

  const StoreAddress& address_;
  const Statements& statements_;
  const std::int64_t epoch_;
  const std::function<std::int64_t()> new_id_;
  PostgresCounters& counters_;
  const std::function<void()> wait_;
  std::unique_ptr<PostgresConnection> connection_;  // nullptr: not connected
  std::int64_t id_ = 0;
  std::int64_t number_ = 0;  // of the last transaction
};

}  // namespace magneto::storage
