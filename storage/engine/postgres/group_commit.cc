#include "storage/engine/postgres/group_commit.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "storage/engine/postgres/group_statements.h"
#include "storage/engine/version_source.h"

namespace magneto::storage {
namespace {

std::size_t bytes_of(const WriteBatch& batch) {
  std::size_t bytes = 0;
  for (const WriteBatch::Operation& operation : batch.operations()) {
    bytes += operation.key.size() + operation.value.size();
  }
  return bytes;
}

}  // namespace

GroupCommit::GroupCommit(const StoreAddress& address, const Statements& statements,
                         std::int64_t epoch, std::size_t connections, PostgresCounters& counters,
                         const std::function<void()>& wait)
    : statements_(statements), counters_(counters) {
  for (std::size_t i = 0; i < connections; ++i) {
    free_.push_back(std::make_unique<CommitConnection>(
        address, statements, epoch, [this] { return ++last_id_; }, counters, wait));
  }
}

void GroupCommit::commit(const WriteBatch& batch) {
  Member member{.batch = &batch};
  wait_and_commit(member);
}

QueryResult GroupCommit::run(const Statement& statement, const Arguments& arguments) {
  Member member{.call = {&statement, &arguments}};
  wait_and_commit(member);
  return std::move(member.result);
}

void GroupCommit::wait_and_commit(Member& member) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&member);
  member.changed.wait(
      lock, [&] { return member.is_done || (waiting_.front() == &member && !free_.empty()); });
  if (!member.is_done) {
    std::vector<Member*> group = make_room();
    std::unique_ptr<CommitConnection> connection = std::move(free_.back());
    free_.pop_back();
    take_group(group);
    const auto let_next_begin = [this] {
      if (!waiting_.empty() && !free_.empty()) waiting_.front()->changed.notify_one();
    };
    let_next_begin();
    lock.unlock();
    commit_group(*connection, group);
    lock.lock();
    free_.push_back(std::move(connection));
    for (Member* const done : group) {
      done->is_done = true;
      done->changed.notify_one();
    }
    let_next_begin();
  }
  if (member.failure != nullptr) std::rethrow_exception(member.failure);
}

// Room for a group; if there is no memory, the first member, which calls this, leaves the queue.
std::vector<GroupCommit::Member*> GroupCommit::make_room() {
  try {
    std::vector<Member*> group;
    group.reserve(waiting_.size());
    return group;
  } catch (...) {
    waiting_.pop_front();
    if (!waiting_.empty()) waiting_.front()->changed.notify_one();
    throw;
  }
}

void GroupCommit::take_group(std::vector<Member*>& group) {
  std::size_t bytes = 0;
  while (!waiting_.empty()) {
    Member* const next = waiting_.front();
    if (next->batch != nullptr) bytes += bytes_of(*next->batch);
    const bool is_alone = next->batch == nullptr || bytes > kGroupBytes;
    if (!group.empty() && is_alone) break;
    group.push_back(next);
    waiting_.pop_front();
    if (next->batch == nullptr) break;
  }
}

void GroupCommit::commit_group(CommitConnection& connection, Group group) noexcept {
  const auto begin = std::chrono::steady_clock::now();
  try {
    QueryResult result = try_commit(connection, group);
    group.front()->result = std::move(result);
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
    for (Member* const member : group) member->failure = std::current_exception();
  }
}

QueryResult GroupCommit::try_commit(CommitConnection& connection, Group group) {
  if (group.front()->batch == nullptr) return connection.commit({&group.front()->call, 1});
  std::vector<const WriteBatch*> batches;
  batches.reserve(group.size());
  for (const Member* const member : group) batches.push_back(member->batch);
  const GroupStatements statements(batches, statements_, next_version());
  return connection.commit(statements.calls());
}

// Microseconds since 1970, with ten bits for the number of the server. Unique and ascending.
std::int64_t GroupCommit::next_version() {
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  std::int64_t last = last_version_.load(std::memory_order_relaxed);
  std::int64_t next = 0;
  do {
    next = std::max(now << kServerBits, last + std::int64_t{kVersionStep});
  } while (!last_version_.compare_exchange_weak(last, next, std::memory_order_relaxed));
  return next;
}

}  // namespace magneto::storage
