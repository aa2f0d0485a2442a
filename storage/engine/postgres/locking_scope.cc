#include "storage/engine/postgres/locking_scope.h"

#include <optional>
#include <utility>

#include "storage/model/effort.h"

namespace magneto::storage {

std::unique_ptr<CommitConnection> LockingConnections::take() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [this] { return !free_.empty() || made_ < kConnections; });
  if (free_.empty()) {
    std::unique_ptr<CommitConnection> connection = commits_.connect();
    ++made_;
    return connection;
  }
  std::unique_ptr<CommitConnection> connection = std::move(free_.back());
  free_.pop_back();
  return connection;
}

void LockingConnections::give_back(std::unique_ptr<CommitConnection> connection) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(connection));
  }
  returned_.notify_one();
}

LockingScope::LockingScope(const ScopeContext& context, KeyLocks::Holder locks,
                           std::vector<std::size_t> places, LockingConnections& connections,
                           ScopeCommit& commits, std::int64_t epoch)
    : SharedScope(context, std::move(locks), std::move(places)),
      connections_(connections),
      commits_(commits),
      epoch_(epoch) {}

LockingScope::~LockingScope() { end(); }

void LockingScope::end() {
  if (connection_ == nullptr) return;
  if (std::exchange(transaction_, nullptr) != nullptr) connection_->roll_back();
  connections_.give_back(std::move(connection_));
}

std::optional<QueryResult> LockingScope::run_locked(const Statement& statement,
                                                    const Arguments& arguments) {
  Effort::before_waiting();
  if (is_broken_) return std::nullopt;
  try {
    if (connection_ == nullptr) {
      connection_ = connections_.take();
      transaction_ = &connection_->begin();
    }
    return transaction_->run(statement, arguments);
  } catch (const StoreTaken&) {
    throw;
  } catch (const EngineError&) {  // such as a deadlock, or the connection was lost
    is_broken_ = true;
    end();
    return std::nullopt;
  }
}

std::optional<QueryResult> LockingScope::read_locked(ColumnFamily family,
                                                     std::span<const std::string_view> keys) {
  Arguments arguments;
  arguments.add_array(keys);
  if (!SharedStatements::is_guarded(family)) {
    return run_locked(context_.statements.read(family), arguments);
  }
  // FOR UPDATE locks nothing where there is no row.
  if (!run_locked(context_.statements.make_rows(family), arguments)) return std::nullopt;
  return run_locked(context_.statements.lock(family), arguments);
}

void LockingScope::read(ColumnFamily family, std::span<const std::string_view> keys,
                        std::span<FoundRow> rows) {
  std::optional<QueryResult> result = read_locked(family, keys);
  if (!result) return SharedScope::read(family, keys, rows);
  const FoundRows found(*std::move(result));
  for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = found.find(keys[i]);
}

bool LockingScope::try_commit(const ScopeWrite& write) {
  if (is_broken_ || connection_ == nullptr) return SharedScope::try_commit(write);
  const ScopeStatements statements({&write, 1}, ScopeStatements::Check::kNone, context_.statements,
                                   connection_->id(), epoch_, commits_.count_id_of(*connection_));
  transaction_ = nullptr;
  try {
    return connection_->finish(statements.calls());
  } catch (const StatementError& error) {
    if (!CommitConnection::is_conflict(error.state())) throw;
    return false;
  }
}

bool LockingScope::are_unchanged() { return is_broken_ ? SharedScope::are_unchanged() : true; }

}  // namespace magneto::storage
