#include "storage/engine/postgres/commit_queue.h"

#include <chrono>
#include <utility>

namespace magneto::storage {

std::size_t CommitQueue::bytes_of(const WriteBatch& batch) {
  std::size_t bytes = 0;
  for (const WriteBatch::Operation& operation : batch.operations()) {
    bytes += operation.key.size() + operation.value.size();
  }
  return bytes;
}

QueryResult CommitQueue::run(const Statement& statement, const Arguments& arguments) {
  Commit commit;
  commit.call = {&statement, &arguments};
  wait_for(commit);
  return std::move(commit.result);
}

void CommitQueue::add(std::unique_ptr<CommitConnection> connection) {
  connections_.push_back(std::move(connection));
  add_turn();
}

void CommitQueue::work(std::size_t turn, Group group) noexcept {
  CommitConnection& connection = *connections_[turn];
  const auto begin = std::chrono::steady_clock::now();
  try {
    Commit& first = commit_of(group.front());
    if (first.is_statement()) {
      CommitConnection::Committed committed =
          connection.commit([&](std::int64_t) { return CommitConnection::Calls(&first.call, 1); });
      if (!committed.results.empty()) first.result = std::move(committed.results.back());
    } else {
      commit_writes(connection, group);
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
      for (std::size_t i = 0; i < group.size(); ++i) work(turn, group.subspan(i, 1));
    }
  } catch (...) {
    for (Waiting* const waiting : group) waiting->failure = std::current_exception();
  }
}

}  // namespace magneto::storage
