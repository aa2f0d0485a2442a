#include "storage/engine/postgres/commit_queue.h"

#include <utility>

namespace magneto::storage {

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
