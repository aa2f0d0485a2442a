#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

namespace magneto::storage {

// Requests of several threads to the database, which are sent in groups. There is a fixed number of
// turns. When one is free, the thread of the first request that waits does the work of a group, while
// the threads of the others wait for it. Thread-safe.
class GroupQueue {
 public:
  GroupQueue() = default;
  virtual ~GroupQueue() = default;
  GroupQueue(const GroupQueue&) = delete;
  GroupQueue& operator=(const GroupQueue&) = delete;

 protected:
  struct Waiting {
    std::exception_ptr failure = nullptr;
    bool is_done = false;
    std::condition_variable changed = {};  // it is done, or the first one and a turn is free
  };
  using Group = std::span<Waiting* const>;

  // The turns are numbered from 0. Not thread-safe.
  void add_turn() { free_.push_back(free_.size()); }
  // Returns when the request is done; throws its failure.
  void wait_for(Waiting& request);

  // Moves the next group, at least the first request, to `group`, which has room for all of them.
  virtual void take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) = 0;
  // Does the work of a group, and sets the failures of its requests. No other group has this turn.
  virtual void work(std::size_t turn, Group group) noexcept = 0;

 private:
  std::vector<Waiting*> make_room();

  std::mutex mutex_;  // guards the next two members, and Waiting::is_done
  std::deque<Waiting*> waiting_;
  std::vector<std::size_t> free_;
};

}  // namespace magneto::storage
