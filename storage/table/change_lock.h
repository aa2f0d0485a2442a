#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace magneto::storage {

// A lock under which one change of tables is decided and committed at a time. A take-over of a
// change that another server has made goes before the changes that wait here: all servers, and
// writers of this one, wait for take-overs. Thread-safe.
class ChangeLock {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [this] { return !is_held_ && take_overs_ == 0; });
    is_held_ = true;
  }
  void lock_for_take_over() {
    std::unique_lock lock(mutex_);
    ++take_overs_;
    released_.wait(lock, [this] { return !is_held_; });
    --take_overs_;
    is_held_ = true;
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      is_held_ = false;
    }
    released_.notify_all();
  }

 private:
  std::mutex mutex_;  // guards the next members
  std::condition_variable released_;
  bool is_held_ = false;
  std::size_t take_overs_ = 0;  // that wait
};

}  // namespace magneto::storage
