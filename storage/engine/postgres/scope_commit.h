#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "storage/engine/postgres/commit_queue.h"
#include "storage/engine/postgres/scope_statements.h"

namespace magneto::storage {

// Commits the writes of scopes in groups: a free connection takes all that wait and have no key in
// common, and commits them in one transaction. Each of them meets conflicts by itself. Thread-safe.
class ScopeCommit final : public CommitQueue {
 public:
  // More connections do not help: waiting writes share them.
  static constexpr std::size_t kMostConnections = 48;

  // `server`: the number of this server. `counters` must outlive this object. `wait`: as in
  // CommitConnection.
  ScopeCommit(const StoreAddress& address, const SharedStatements& statements, std::int64_t epoch,
              std::uint32_t server, std::size_t connections, PostgresCounters& counters,
              const std::function<void()>& wait);

  // Returns whether the write is committed; if not, it has met a conflict. Throws StatementError;
  // nothing is applied then. After other errors the outcome is not known.
  bool commit(const ScopeWrite& write);

  // A connection of its own for a scope, which must not outlive this object.
  std::unique_ptr<CommitConnection> connect();
  std::int64_t count_id_of(const CommitConnection& connection) const;

 private:
  struct Member final : Commit {
    ScopeWrite write = {};
    bool has_won = false;
  };
  static Member& member(Waiting* waiting) { return static_cast<Member&>(*waiting); }

  void take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) override;
  void commit_writes(CommitConnection& connection, Group group) override;
  void try_commit(CommitConnection& connection, Group group, ScopeStatements::Check check);
  // After an exchange has failed, the next groups compare: conflicts come together.
  bool compares_next();
  static std::size_t bytes_in(const ScopeWrite& write);

  const StoreAddress& address_;
  const SharedStatements& statements_;
  const std::int64_t epoch_;
  const std::uint32_t server_;
  const std::function<void()> wait_;
  const Fence fence_;
  static constexpr std::int32_t kCompared = 8;  // groups
  std::atomic<std::int32_t> comparing_{0};
  std::atomic<std::int64_t> next_slot_{0};
  std::atomic<std::int64_t> last_id_{1};
};

}  // namespace magneto::storage
