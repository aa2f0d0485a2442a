#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/postgres_counters.h"
#include "storage/engine/postgres/statements.h"

namespace magneto::storage {

// Another server has taken over the store: this process must not use it any more.
class StoreTaken : public EngineError {
 public:
  using EngineError::EngineError;
};

// The statements for the rows by which servers are kept from committing, with the arguments and
// results that Statements describes.
struct Fence {
  const Statement& add;
  const Statement& check;
  const Statement& close;
};

// One connection that commits, under the epoch of this process's lease. Not thread-safe.
//
// Its row in the fence is written by each of its transactions, with the transaction's number. So a
// commit of an earlier epoch fails. When the connection gets lost in a commit, a new connection
// closes the row: this waits for the transaction, shows whether it was committed, and makes it fail
// if it was not.
class CommitConnection {
 public:
  // Whether the database could not put a transaction into an order with others, and asks for it again.
  static bool is_conflict(std::string_view state) { return state == "40001" || state == "40P01"; }

  // `new_id`: returns a number for the row in the fence, greater than 1 and never used in this epoch.
  // `wait`: called between attempts to connect again; throws when no more shall be made.
  CommitConnection(const StoreAddress& address, const Statements& statements, const Fence& fence,
                   std::int64_t epoch, std::function<std::int64_t()> new_id,
                   PostgresCounters& counters, std::function<void()> wait);

  // The outcome of a committed transaction.
  struct Committed {
    std::vector<QueryResult> results;  // of its statements; empty: they are lost
    QueryResult closed;                // if so, the closed row of the fence
  };
  using Calls = std::span<const PostgresConnection::Call>;
  // Executes the statements that `make` returns for the number of this connection's row in the
  // fence, in one transaction and one flight. When the connection gets lost, finds
  // out whether the transaction was committed, however long that takes. If it was not, executes it
  // again. Throws StatementError when the database refused a statement: nothing is applied. Throws
  // StoreTaken, or an error of `wait`: the transaction may or may not be committed then.
  Committed commit(const std::function<Calls(std::int64_t id)>& make);

  // A transaction of several flights. begin() returns the connection, in a transaction that has
  // checked the fence. finish() executes the last statements and commits; it returns false when the
  // connection got lost and nothing is applied. Both throw as commit() does; begin() throws
  // ConnectionLost too. roll_back() ends the transaction.
  PostgresConnection& begin();
  bool finish(Calls calls);
  void roll_back();
  std::int64_t id() const { return id_; }  // of the row in the fence

 private:
  void connect();
  // Sets `closed` if the last transaction was committed.
  bool settle(QueryResult& closed);
  std::vector<QueryResult> try_commit(Calls calls);
  void begin_anew();

  const StoreAddress& address_;
  const Statements& statements_;
  const Fence fence_;
  const std::int64_t epoch_;
  const std::function<std::int64_t()> new_id_;
  PostgresCounters& counters_;
  const std::function<void()> wait_;
  std::unique_ptr<PostgresConnection> connection_;  // nullptr: not connected
  std::int64_t id_ = 0;
  std::int64_t number_ = 0;  // of the last transaction
};

}  // namespace magneto::storage
