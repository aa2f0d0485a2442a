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
                         std::int64_t epoch, std::int64_t last_version, std::size_t connections,
                         PostgresCounters& counters, const std::function<void()>& wait)
    : statements_(statements),
      counters_(counters),
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
  wait_and_commit(member);
}

QueryResult GroupCommit::run(const Statement& statement, const Arguments& arguments) {
  Member member;
  member.call = {&statement, &arguments};
  wait_and_commit(member);
  return std::move(member.result);
}

void GroupCommit::take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) {
  std::size_t bytes = 0;
  while (!waiting.empty()) {
    const Member& next = member(waiting.front());
    if (next.batch != nullptr) bytes += bytes_of(*next.batch);
    const bool is_alone = next.batch == nullptr || bytes > kGroupBytes;
    if (!group.empty() && is_alone) break;
    group.push_back(waiting.front());
    waiting.pop_front();
    if (next.batch == nullptr) break;
  }
}

void GroupCommit::commit_group(CommitConnection& connection, Group group) noexcept {
  const auto begin = std::chrono::steady_clock::now();
  try {
    QueryResult result = try_commit(connection, group);
    member(group.front()).result = std::move(result);
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

// The result of the last statement; none if it is lost.
QueryResult GroupCommit::try_commit(CommitConnection& connection, Group group) {
  const auto last_of = [](CommitConnection::Committed committed) {
    return committed.results.empty() ? QueryResult() : std::move(committed.results.back());
  };
  if (member(group.front()).batch == nullptr) {
    return last_of(connection.commit(
        [&](std::int64_t) { return CommitConnection::Calls(&member(group.front()).call, 1); }));
  }
  std::vector<const WriteBatch*> batches;
  batches.reserve(group.size());
  for (Waiting* const waiting : group) batches.push_back(member(waiting).batch);
  const GroupStatements statements(batches, statements_, next_version());
  return last_of(connection.commit([&](std::int64_t) { return statements.calls(); }));
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
