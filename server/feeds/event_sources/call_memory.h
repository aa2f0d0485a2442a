#pragma once

#include <cstddef>
#include <mutex>

namespace magneto::server::feeds {

// What calls of functions hold together, in bytes: their events, and what is kept of answers. A call
// begins only where there is room for it; the others wait and hold nothing. Thread-safe.
class CallMemory {
 public:
  explicit CallMemory(std::size_t limit) : limit_(limit) {}
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  // What the calls of one mapping hold. Read and changed by CallMemory alone.
  class Share {
    friend class CallMemory;
    std::size_t held_ = 0;
  };

  // Of one call, while it lives. Not granted: there is no room now. A call is granted if none other
  // holds anything, however large it is. A mapping that holds something leaves more than a third as
  // much free, so that no mapping takes all: alone it has three quarters.
  class Use {
   public:
    Use(CallMemory& memory, Share& share, std::size_t bytes)
        : memory_(memory), share_(share), bytes_(memory.take(share, bytes) ? bytes : 0) {}
    ~Use() { shrink(0); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    bool is_granted() const { return bytes_ > 0; }
    // It needs no more than that from now on. Never grows.
    void shrink(std::size_t bytes) {
      if (bytes >= bytes_) return;
      memory_.give_back(share_, bytes_ - bytes);
      bytes_ = bytes;
    }

   private:
    CallMemory& memory_;
    Share& share_;
    std::size_t bytes_;
  };

  // What is held stays, though it be more.
  void set_limit(std::size_t limit) {
    const std::lock_guard lock(mutex_);
    limit_ = limit;
  }
  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return held_;
  }

 private:
  bool take(Share& share, std::size_t bytes) {
    constexpr std::size_t kPart = 3;
    const std::lock_guard lock(mutex_);
    if (held_ > 0) {
      if (held_ + bytes > limit_) return false;
      const std::size_t left = limit_ - held_ - bytes;
      if (share.held_ > 0 && share.held_ + bytes > kPart * left) return false;
    }
    share.held_ += bytes;
    held_ += bytes;
    return true;
  }
  void give_back(Share& share, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    share.held_ -= bytes;
    held_ -= bytes;
  }

  mutable std::mutex mutex_;  // guards what follows, and each Share
  std::size_t limit_;
  std::size_t held_ = 0;
};

}  // namespace magneto::server::feeds
