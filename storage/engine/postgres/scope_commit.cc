#include "storage/engine/postgres/scope_commit.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace magneto::storage {
namespace {

// Connections of one server: `id` of their rows in `guard` is the slot modulo this number.
constexpr std::int64_t kSlots = 64;

std::size_t bytes_in(const ScopeWrite& write) {
  std::size_t bytes = 0;
  for (const RowGuard& guard : write.guards) bytes += guard.key.size();
  for (const WriteBatch::Operation& operation : write.batch->operations()) {
    bytes += operation.key.size() + operation.value.size();
  }
  return bytes;
}

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
    : address_(address),
      statements_(statements),
      epoch_(epoch),
      server_(server),
      counters_(counters),
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
  wait_and_commit(member);
  return member.has_won;
}

QueryResult ScopeCommit::run(const Statement& statement, const Arguments& arguments) {
  Member member;
  member.call = {&statement, &arguments};
  wait_and_commit(member);
  return std::move(member.result);
}

void ScopeCommit::take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) {
  constexpr std::size_t kGroupBytes = 1 << 20;  // a write that alone has more is a group of its own
  constexpr std::size_t kMostWrites = 256;
  std::size_t bytes = 0;
  GroupKeys keys;
  while (!waiting.empty() && group.size() < kMostWrites) {
    const Member& next = member(waiting.front());
    const bool is_statement = next.write.batch == nullptr;
    if (!is_statement) bytes += bytes_in(next.write);
    if (!group.empty() && (is_statement || bytes > kGroupBytes)) break;
    if (!is_statement && !keys.add(next.write)) break;
    group.push_back(waiting.front());
    waiting.pop_front();
    if (is_statement) break;
  }
}

void ScopeCommit::commit_group(CommitConnection& connection, Group group) noexcept {
  const auto begin = std::chrono::steady_clock::now();
  try {
    if (member(group.front()).write.batch == nullptr) {
      run(connection, member(group.front()));
    } else {
      try_commit(connection, group);
    }
    const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - begin;
    counters_.groups.fetch_add(1, std::memory_order_relaxed);
    counters_.group_nanoseconds.fetch_add(static_cast<std::uint64_t>(time.count()),
                                          std::memory_order_relaxed);
    counters_.batches.fetch_add(group.size(), std::memory_order_release);
  } catch (const StatementError&) {
    if (group.size() == 1) {
      group.front()->failure = std::current_exception();
    } else {
      for (std::size_t i = 0; i < group.size(); ++i) commit_group(connection, group.subspan(i, 1));
    }
  } catch (...) {
    for (Waiting* const waiting : group) waiting->failure = std::current_exception();
  }
}

void ScopeCommit::run(CommitConnection& connection, Member& member) {
  CommitConnection::Committed committed =
      connection.commit([&](std::int64_t) { return CommitConnection::Calls(&member.call, 1); });
  if (!committed.results.empty()) member.result = std::move(committed.results.back());
}

void ScopeCommit::try_commit(CommitConnection& connection, Group group) {
  const bool are_single = std::ranges::all_of(
      group, [](Waiting* waiting) { return is_single_exchange(member(waiting).write); });
  if (are_single) {
    try {
      return try_commit(connection, group, ScopeStatements::Check::kExchange);
    } catch (const StatementError& error) {
      if (error.state() != SharedStatements::kVanished) throw;
    }
  }
  try_commit(connection, group, ScopeStatements::Check::kCompare);
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
