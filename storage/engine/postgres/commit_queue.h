#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "storage/engine/postgres/commit_connection.h"

namespace magneto::storage {

// Writes that wait for a connection which commits. A free connection takes a group of those that
// wait. A write waits on the thread that commits it; the thread of the first one does the work of
// the group. Thread-safe.
class CommitQueue {
 public:
  CommitQueue() = default;
  virtual ~CommitQueue() = default;
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

 protected:
  // A write that waits for its turn.
  struct Waiting {
    std::exception_ptr failure = nullptr;
    bool is_done = false;
    std::condition_variable changed = {};  // it is done, or the first one and a connection is free
  };
  using Group = std::span<Waiting* const>;

  void add(std::unique_ptr<CommitConnection> connection) { free_.push_back(std::move(connection)); }
  // Returns when the write is done; throws its failure.
  void wait_and_commit(Waiting& write);

  // Moves the next group, at least the first write, to `group`, which has room for all of them.
  virtual void take_group(std::deque<Waiting*>& waiting, std::vector<Waiting*>& group) = 0;
  // Sets the failures of writes that are not committed.
  virtual void commit_group(CommitConnection& connection, Group group) noexcept = 0;

 private:
  std::vector<Waiting*> make_room();

  std::mutex mutex_;  // guards the next two members, and Waiting::is_done
  std::deque<Waiting*> waiting_;
  std::vector<std::unique_ptr<CommitConnection>> free_;
};

}  // namespace magneto::storage
