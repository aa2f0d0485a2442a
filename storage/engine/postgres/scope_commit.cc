#include "storage/engine/postgres/scope_commit.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace magneto::storage {
namespace {

// Connections of one server: `id` of their rows in `guard` is the slot modulo this number.
constexpr std::int64_t kSlots = 64;

// The keys of a group, and whether they are written.
class GroupKeys {
 public:
  // False if a key that one write changes belongs to another one too.
  bool add(const ScopeWrite& write) {
    for (const RowGuard& guard : write.guards) {
      const auto known = keys_.find(key_of(guard.family, guard.key));
      if (known != keys_.end() && known->second) return false;
    }
    for (const WriteBatch::Operation& operation : write.batch->operations()) {
      if (keys_.contains(key_of(operation.tree->family(), operation.key))) return false;
    }
    for (const RowGuard& guard : write.guards) {
      keys_.try_emplace(key_of(guard.family, guard.key), false);
    }
    for (const WriteBatch::Operation& operation : write.batch->operations()) {
      keys_[key_of(operation.tree->family(), operation.key)] = true;
    }
    return true;
  }

 private:
  using Key = std::pair<ColumnFamily, absl::string_view>;
  static Key key_of(ColumnFamily family, std::string_view key) {
    return {family, absl::string_view(key.data(), key.size())};
  }

  absl::flat_hash_map<Key, bool> keys_;
};

}  // namespace

ScopeCommit::ScopeCommit(const StoreAddress& address, const SharedStatements& statements,
                         std::int64_t epoch, std::uint32_t server, std::size_t connections,
                         PostgresCounters& counters, const std::function<void()>& wait)
    : CommitQueue(counters),
      address_(address),
      statements_(statements),
      epoch_(epoch),
      server_(server),
      wait_(wait),
      fence_{statements.add_guard(), statements.check_guard(), statements.close_guard()} {
  for (std::size_t i = 0; i < std::min(connections, kMostConnections); ++i) add(connect());
}

std::unique_ptr<CommitConnection> ScopeCommit::connect() {
  const std::int64_t slot = next_slot_++ % kSlots;
  return std::make_unique<CommitConnection>(
      address_, statements_, fence_, epoch_, [this, slot] { return ++last_id_ * kSlots + slot; },
      counters_, wait_);
}

std::int64_t ScopeCommit::count_id_of(const CommitConnection& connection) const {
  return std::int64_t{server_} * kSlots + connection.id() % kSlots;
}

bool ScopeCommit::commit(const ScopeWrite& write) {
  Member member;
  member.write = write;
  wait_for(member);
  return member.has_won;
}

std::size_t ScopeCommit::bytes_in(const ScopeWrite& write) {
  std::size_t bytes = bytes_of(*write.batch);
  for (const RowGuard& guard : write.guards) bytes += guard.key.size();
  return bytes;
}

void ScopeCommit::take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) {
  constexpr std::size_t kMostWrites = 256;
  std::size_t bytes = 0;
  GroupKeys keys;
  while (!waiting.empty() && group.size() < kMostWrites) {
    Waiting* const next = waiting.front();
    if (!commit_of(next).is_statement()) bytes += bytes_in(member(next).write);
    if (!group.empty() && (commit_of(next).is_statement() || bytes > kGroupBytes)) break;
    if (!commit_of(next).is_statement() && !keys.add(member(next).write)) break;
    group.push_back(next);
    waiting.pop_front();
    if (commit_of(next).is_statement()) break;
  }
}

void ScopeCommit::commit_writes(CommitConnection& connection, Group group) {
  const bool are_exchanges = std::ranges::all_of(
      group, [](Waiting* waiting) { return is_exchange(member(waiting).write); });
  if (are_exchanges && !compares_next()) {
    try {
      return try_commit(connection, group, ScopeStatements::Check::kExchange);
    } catch (const StatementError& error) {
      if (error.state() != SharedStatements::kVanished) throw;
      comparing_ = kCompared;
    }
  }
  try_commit(connection, group, ScopeStatements::Check::kCompare);
}

bool ScopeCommit::compares_next() {
  std::int32_t left = comparing_.load(std::memory_order_relaxed);
  while (left > 0) {
    if (comparing_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

void ScopeCommit::try_commit(CommitConnection& connection, Group group,
                             ScopeStatements::Check check) {
  std::vector<ScopeWrite> writes;
  writes.reserve(group.size());
  for (Waiting* const waiting : group) writes.push_back(member(waiting).write);
  std::unique_ptr<ScopeStatements> statements;
  const CommitConnection::Committed committed = connection.commit([&](std::int64_t id) {
    statements = std::make_unique<ScopeStatements>(writes, check, statements_, id, epoch_,
                                                   std::int64_t{server_} * kSlots + id % kSlots);
    return statements->calls();
  });
  std::vector<std::int64_t> lost;
  if (committed.results.empty()) lost = committed.closed.numbers(0, 1);
  // Only statements that compare return rows; the last one knows of all.
  for (const QueryResult& result : committed.results) {
    if (result.rows() != 0) lost = result.numbers(0, 0);
  }
  for (Waiting* const waiting : group) member(waiting).has_won = true;
  for (const std::int64_t scope : lost) {
    member(group[static_cast<std::size_t>(scope)]).has_won = false;
  }
}

}  // namespace magneto::storage
