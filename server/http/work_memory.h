#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace magneto::server::http {

// Limits the memory that running requests with long bodies use: simdjson's buffers and copies of
// the values. Only as many run at a time as fit into the limit; the others wait. Thread-safe.
class WorkMemory {
 public:
  // Bytes per byte of body, in addition to the body itself. Measured with bodies of 16 MB: 12 for
  // `[1,1,1,...`, 9 for `[[],[],...`, 7 for empty strings, 4 for items of text.
  static constexpr std::size_t kFactor = 12;
  // Shorter bodies run without taking from the limit: they use less than a megabyte.
  static constexpr std::size_t kShortBody = 64 * 1024;

  explicit WorkMemory(std::size_t limit) : limit_(limit) {}

  std::size_t limit() const { return limit_; }
  // Bytes that running requests have taken.
  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return used_;
  }

  // Waits until a body of `size` bytes may run. Do not use it on an I/O thread, except for a short
  // body. A body beyond the limit runs only while no other long body does.
  class Use {
   public:
    Use(WorkMemory& memory, std::size_t size)
        : memory_(memory),
          bytes_(size <= kShortBody ? 0 : std::min(size * kFactor, memory.limit_)) {
      if (bytes_ != 0) memory_.take(bytes_);
    }
    ~Use() {
      if (bytes_ != 0) memory_.give_back(bytes_);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    WorkMemory& memory_;
    const std::size_t bytes_;
  };

 private:
  void take(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return used_ + bytes <= limit_; });
    used_ += bytes;
  }
  void give_back(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      used_ -= bytes;
    }
    changed_.notify_all();
  }

  const std::size_t limit_;
  mutable std::mutex mutex_;  // guards used_
  std::condition_variable changed_;
  std::size_t used_ = 0;
};

}  // namespace magneto::server::http
