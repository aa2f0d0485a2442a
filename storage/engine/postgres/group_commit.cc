#include "storage/engine/postgres/group_commit.h"

#include <algorithm>
#include <utility>

#include "storage/engine/postgres/group_statements.h"
#include "storage/engine/version.h"

namespace magneto::storage {
GroupCommit::GroupCommit(const StoreAddress& address, const Statements& statements,
                         std::int64_t epoch, std::int64_t last_version, std::size_t connections,
                         PostgresCounters& counters, const std::function<void()>& wait)
    : CommitQueue(counters),
      statements_(statements),
      fence_{statements.add_fence(), statements.check_fence(), statements.close_fence()},
      last_version_(last_version) {
  for (std::size_t i = 0; i < connections; ++i) {
    add(std::make_unique<CommitConnection>(
        address, statements, fence_, epoch, [this] { return ++last_id_; }, counters, wait));
  }
}

void GroupCommit::commit(const WriteBatch& batch) {
  Member member;
  member.batch = &batch;
  wait_for(member);
}

void GroupCommit::take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) {
  std::size_t bytes = 0;
  while (!waiting.empty()) {
    Waiting* const next = waiting.front();
    if (!commit_of(next).is_statement()) bytes += bytes_of(*batch_of(*next));
    const bool is_alone = commit_of(next).is_statement() || bytes > kGroupBytes;
    if (!group.empty() && is_alone) break;
    group.push_back(next);
    waiting.pop_front();
    if (commit_of(next).is_statement()) break;
  }
}

void GroupCommit::commit_writes(CommitConnection& connection, Group group) {
  std::vector<const WriteBatch*> batches;
  batches.reserve(group.size());
  for (Waiting* const waiting : group) batches.push_back(batch_of(*waiting));
  const GroupStatements statements(batches, statements_, next_version());
  connection.commit([&](std::int64_t) { return statements.calls(); });
}

// Unique and ascending.
std::int64_t GroupCommit::next_version() {
  const auto now = static_cast<std::int64_t>(version_at(Clock::real_now()));
  std::int64_t last = last_version_.load(std::memory_order_relaxed);
  std::int64_t next = 0;
  do {
    next = std::max(now, last + std::int64_t{kVersionStep});
  } while (!last_version_.compare_exchange_weak(last, next, std::memory_order_relaxed));
  return next;
}

}  // namespace magneto::storage
