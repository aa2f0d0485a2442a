#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace magneto::server::http {

// What requests with long bodies take while they are being run: simdjson's buffers, copies of the
// values. As many run at a time as fit into a limit; the others wait for their turn. Thread-safe.
class WorkMemory {
 public:
  // Bytes for each byte of a body, beside the body itself; measured with bodies of 16 MB: 12 for
  // `[1,1,1,...`, 9 for `[[],[],...`, 7 for strings of nothing, 4 for items of text.
  static constexpr std::size_t kFactor = 12;
  // Shorter bodies run without asking: they take less than a megabyte.
  static constexpr std::size_t kShortBody = 64 * 1024;

  explicit WorkMemory(std::size_t limit) : limit_(limit) {}

  std::size_t limit() const { return limit_; }
  // What runs now has taken.
  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return used_;
  }

  // Waits, for as long as others run, until a body of `size` bytes may be run. Never on an I/O
  // thread, but for a short body. One beyond the limit runs while no other does.
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
