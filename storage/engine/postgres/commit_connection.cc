#include "storage/engine/postgres/commit_connection.h"

#include <array>
#include <new>
#include <utility>
#include <vector>

#include "storage/messages/postgres_messages.h"

namespace magneto::storage {
namespace {

constexpr int kConflictRetries = 10;

}  // namespace

CommitConnection::CommitConnection(const StoreAddress& address, const Statements& statements,
                                   const Fence& fence, std::int64_t epoch,
                                   std::function<std::int64_t()> new_id, PostgresCounters& counters,
                                   std::function<void()> wait)
    : address_(address),
      statements_(statements),
      fence_(fence),
      epoch_(epoch),
      new_id_(std::move(new_id)),
      counters_(counters),
      wait_(std::move(wait)) {}

void CommitConnection::connect() {
  auto connection = std::make_unique<PostgresConnection>(address_);
  connection->execute(kEndIdleTransactions);
  const std::int64_t id = new_id_();
  if (connection->run(fence_.add, {id, epoch_}).rows() == 0) {
    throw StoreTaken(messages::kStoreTaken);
  }
  connection_ = std::move(connection);
  id_ = id;
  number_ = 0;
}

CommitConnection::Committed CommitConnection::commit(
    const std::function<Calls(std::int64_t id)>& make) {
  int conflicts = 0;
  Committed committed;
  for (bool is_sent = false;;) {
    try {
      if (is_sent && settle(committed.closed)) return committed;
      is_sent = false;
      if (connection_ == nullptr) connect();
      const Calls calls = make(id_);
      is_sent = true;
      committed.results = try_commit(calls);
      return committed;
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

std::vector<QueryResult> CommitConnection::try_commit(Calls calls) {
  ++number_;
  const Arguments none;
  const Arguments fence = {id_, epoch_, number_};
  std::vector<PostgresConnection::Call> all = {{&statements_.begin(), &none},
                                               {&fence_.check, &fence}};
  all.insert(all.end(), calls.begin(), calls.end());
  all.push_back({&statements_.commit(), &none});
  try {
    std::vector<QueryResult> results = connection_->run_all(all);
    results.pop_back();
    results.erase(results.begin(), results.begin() + 2);
    return results;
  } catch (const StatementError& error) {
    roll_back();
    if (error.state() == Statements::kFenced) throw StoreTaken(messages::kStoreTaken);
    throw;
  }
}

PostgresConnection& CommitConnection::begin() {
  if (connection_ == nullptr) connect();
  ++number_;
  const Arguments none;
  const Arguments fence = {id_, epoch_, number_};
  const std::array<PostgresConnection::Call, 2> calls = {
      {{&statements_.begin(), &none}, {&fence_.check, &fence}}};
  try {
    connection_->run_all(calls);
    return *connection_;
  } catch (const ConnectionLost&) {
    connection_.reset();
    throw;
  } catch (const StatementError& error) {
    roll_back();
    if (error.state() == Statements::kFenced) throw StoreTaken(messages::kStoreTaken);
    throw;
  }
}

bool CommitConnection::finish(Calls calls) {
  const Arguments none;
  std::vector<PostgresConnection::Call> all(calls.begin(), calls.end());
  all.push_back({&statements_.commit(), &none});
  QueryResult closed;
  try {
    connection_->run_all(all);
    return true;
  } catch (const StatementError&) {
    roll_back();
    throw;
  } catch (const ConnectionLost&) {
  } catch (const std::bad_alloc&) {
  }
  for (;;) {
    begin_anew();
    try {
      return settle(closed);
    } catch (const ConnectionLost&) {
    } catch (const std::bad_alloc&) {
    }
  }
}

// After a refused statement: its transaction is not committed, whatever happens here.
void CommitConnection::roll_back() {
  try {
    if (connection_ != nullptr) connection_->execute("ROLLBACK");
  } catch (const EngineError&) {
    connection_.reset();  // ends the transaction too
  }
}

bool CommitConnection::settle(QueryResult& closed) {
  PostgresConnection connection(address_);
  closed = connection.run(fence_.close, {id_, epoch_});
  if (closed.rows() == 0) throw StoreTaken(messages::kStoreTaken);
  return closed.number(0, 0) == number_;
}

}  // namespace magneto::storage
