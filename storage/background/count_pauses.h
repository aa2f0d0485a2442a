#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace magneto::storage {

// Lets work that reads all items in the background rest while the caller of a request reads many
// itself and waits for the result. Thread-safe.
class CountPauses {
 public:
  class Pause {
   public:
    explicit Pause(CountPauses& pauses) : pauses_(pauses) { pauses_.add(1); }
    ~Pause() { pauses_.add(-1); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    CountPauses& pauses_;
  };

  // Called before each item. Returns when there is no Pause, or when a stop is requested.
  void wait(const std::stop_token& stop) {
    if (count_.load(std::memory_order_relaxed) == 0) return;
    std::unique_lock lock(mutex_);
    ended_.wait(lock, stop, [this] { return count_ == 0; });
  }

 private:
  void add(int change) {
    {
      const std::lock_guard lock(mutex_);
      count_ += change;
    }
    ended_.notify_all();
  }

  std::atomic<int> count_{0};  // changed under mutex_
  std::mutex mutex_;
  std::condition_variable_any ended_;
};

}  // namespace magneto::storage
