#include "storage/engine/postgres/group_queue.h"

namespace magneto::storage {

void GroupQueue::wait_for(Waiting& request) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&request);
  request.changed.wait(
      lock, [&] { return request.is_done || (waiting_.front() == &request && !free_.empty()); });
  if (!request.is_done) {
    std::vector<Waiting*> group = make_room();
    const std::size_t turn = free_.back();
    free_.pop_back();
    take_group(waiting_, group);
    const auto let_next_begin = [this] {
      if (!waiting_.empty() && !free_.empty()) waiting_.front()->changed.notify_one();
    };
    let_next_begin();
    lock.unlock();
    work(turn, group);
    lock.lock();
    free_.push_back(turn);
    for (Waiting* const done : group) {
      done->is_done = true;
      done->changed.notify_one();
    }
    let_next_begin();
  }
  if (request.failure != nullptr) std::rethrow_exception(request.failure);
}

// Room for a group; if there is no memory, the first request, whose thread calls this, leaves the
// queue.
std::vector<GroupQueue::Waiting*> GroupQueue::make_room() {
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
