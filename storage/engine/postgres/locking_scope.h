#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "storage/engine/postgres/scope_commit.h"
#include "storage/engine/postgres/shared_scope.h"

namespace magneto::storage {

// Connections for scopes that lock their rows: few, since each holds up others. Thread-safe.
class LockingConnections {
 public:
  static constexpr std::size_t kConnections = 8;

  explicit LockingConnections(ScopeCommit& commits) : commits_(commits) {}

  // Waits while all of them are in use. The caller must hold no locks of rows.
  std::unique_ptr<CommitConnection> take();
  void give_back(std::unique_ptr<CommitConnection> connection);

 private:
  ScopeCommit& commits_;
  std::mutex mutex_;  // guards the next members
  std::condition_variable returned_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<CommitConnection>> free_;
};

// A scope that locks the guarded rows which it reads, in a transaction of its own. So it meets no
// conflict, unless its connection gets lost or transactions block each other for ever. Other servers
// wait for the rows meanwhile, at most until the database ends an idle transaction.
class LockingScope final : public SharedScope {
 public:
  LockingScope(const ScopeContext& context, KeyLocks::Holder locks, std::vector<std::size_t> places,
               LockingConnections& connections, ScopeCommit& commits, std::int64_t epoch);
  ~LockingScope() override;

 private:
  void read(ColumnFamily family, std::span<const std::string_view> keys,
            std::span<FoundRow> rows) override;
  std::optional<QueryResult> read_locked(ColumnFamily family,
                                         std::span<const std::string_view> keys);
  // nullopt: the locks are lost. Reads go on without: the scope will meet a conflict, if need be.
  std::optional<QueryResult> run_locked(const Statement& statement, const Arguments& arguments);
  bool try_commit(const ScopeWrite& write) override;
  bool are_unchanged() override;
  void end();

  LockingConnections& connections_;
  ScopeCommit& commits_;
  const std::int64_t epoch_;
  std::unique_ptr<CommitConnection> connection_;  // nullptr: no transaction is open
  PostgresConnection* transaction_ = nullptr;
  bool is_broken_ = false;  // the locks are lost
};

}  // namespace magneto::storage
