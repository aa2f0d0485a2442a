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
  Waiting waiting;
  waiting.call = {&statement, &arguments};
  wait_and_commit(waiting);
  return std::move(waiting.result);
}

void CommitQueue::commit_group(CommitConnection& connection, Group group) noexcept {
  const auto begin = std::chrono::steady_clock::now();
  try {
    Waiting& first = *group.front();
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
      for (std::size_t i = 0; i < group.size(); ++i) commit_group(connection, group.subspan(i, 1));
    }
  } catch (...) {
    for (Waiting* const waiting : group) waiting->failure = std::current_exception();
  }
}

void CommitQueue::wait_and_commit(Waiting& write) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&write);
  write.changed.wait(
      lock, [&] { return write.is_done || (waiting_.front() == &write && !free_.empty()); });
  if (!write.is_done) {
    std::vector<Waiting*> group = make_room();
    std::unique_ptr<CommitConnection> connection = std::move(free_.back());
    free_.pop_back();
    take_group(waiting_, group);
    const auto let_next_begin = [this] {
      if (!waiting_.empty() && !free_.empty()) waiting_.front()->changed.notify_one();
    };
    let_next_begin();
    lock.unlock();
    commit_group(*connection, group);
    lock.lock();
    free_.push_back(std::move(connection));
    for (Waiting* const done : group) {
      done->is_done = true;
      done->changed.notify_one();
    }
    let_next_begin();
  }
  if (write.failure != nullptr) std::rethrow_exception(write.failure);
}

// Room for a group; if there is no memory, the first write, whose thread calls this, leaves the
// queue.
std::vector<CommitQueue::Waiting*> CommitQueue::make_room() {
  try {
    std::vector<Waiting*> group;
    group.reserve(waiting_.size());
    return group;
  } catch (...) {
    waiting_.pop_front();
    if (!waiting_.empty()) waiting_.front()->changed.notify_one();
    throw;
  }
}

}  // namespace magneto::storage
