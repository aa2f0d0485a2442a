#include "storage/engine/postgres/commit_connection.h"

#include <new>
#include <utility>
#include <vector>

#include "storage/messages/postgres_messages.h"

namespace magneto::storage {
namespace {

constexpr int kConflictRetries = 10;

// The database could not put the transaction into an order with others, and asks for it again.
bool is_conflict(std::string_view state) { return state == "40001" || state == "40P01"; }

}  // namespace

CommitConnection::CommitConnection(const StoreAddress& address, const Statements& statements,
                                   std::int64_t epoch, std::function<std::int64_t()> new_id,
                                   PostgresCounters& counters, std::function<void()> wait)
    : address_(address),
      statements_(statements),
      epoch_(epoch),
      new_id_(std::move(new_id)),
      counters_(counters),
      wait_(std::move(wait)) {}

void CommitConnection::connect() {
  auto connection = std::make_unique<PostgresConnection>(address_);
  connection->execute(kEndIdleTransactions);
  const std::int64_t id = new_id_();
  if (connection->run(statements_.add_fence(), {id, epoch_}).rows() == 0) {
    throw StoreTaken(messages::kStoreTaken);
  }
  connection_ = std::move(connection);
  id_ = id;
  number_ = 0;
}

QueryResult CommitConnection::commit(std::span<const PostgresConnection::Call> calls) {
  int conflicts = 0;
  for (bool is_sent = false;;) {
    try {
      if (is_sent && settle()) return {};
      is_sent = false;
      if (connection_ == nullptr) connect();
      is_sent = true;
      return try_commit(calls);
    } catch (const ConnectionLost&) {
      begin_anew();
    } catch (const std::bad_alloc&) {  // perhaps after the transaction was sent
      begin_anew();
    } catch (const StatementError& error) {
      if (!is_conflict(error.state()) || ++conflicts > kConflictRetries) throw;
      counters_.conflicts.fetch_add(1, std::memory_order_relaxed);
      is_sent = false;
    }
  }
}

void CommitConnection::begin_anew() {
  if (connection_ != nullptr) counters_.lost_connections.fetch_add(1, std::memory_order_relaxed);
  connection_.reset();
  wait_();
}

QueryResult CommitConnection::try_commit(std::span<const PostgresConnection::Call> calls) {
  ++number_;
  const Arguments none;
  const Arguments fence = {id_, epoch_, number_};
  std::vector<PostgresConnection::Call> all = {{&statements_.begin(), &none},
                                               {&statements_.check_fence(), &fence}};
  all.insert(all.end(), calls.begin(), calls.end());
  all.push_back({&statements_.commit(), &none});
  try {
    std::vector<QueryResult> results = connection_->run_all(all);
    return std::move(results[results.size() - 2]);
  } catch (const StatementError& error) {
    roll_back();
    if (error.state() == Statements::kFenced) throw StoreTaken(messages::kStoreTaken);
    throw;
  }
}

// After a refused statement: its transaction is not committed, whatever happens here.
void CommitConnection::roll_back() {
  try {
    connection_->execute("ROLLBACK");
  } catch (const EngineError&) {
    connection_.reset();  // ends the transaction too
  }
}

bool CommitConnection::settle() {
  PostgresConnection connection(address_);
  const QueryResult row = connection.run(statements_.close_fence(), {id_, epoch_});
  if (row.rows() == 0) throw StoreTaken(messages::kStoreTaken);
  return row.number(0, 0) == number_;
}

}  // namespace magneto::storage
