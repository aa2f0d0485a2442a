#pragma once

#include <cstddef>
#include <mutex>

namespace magneto::server::feeds {

// Limits the memory, in bytes, of all function calls together: their events, and the stored parts
// of answers. A call begins only if there is room for it; other calls wait and hold nothing.
// Thread-safe.
class CallMemory {
 public:
  explicit CallMemory(std::size_t limit) : limit_(limit) {}
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;

  // The memory that the calls of one mapping hold. Only CallMemory reads and changes it.
  class Share {
    friend class CallMemory;
    std::size_t held_ = 0;
  };

  // The memory of one call, held while the object lives. Not granted if there is no room now. If no
  // other call holds memory, a call of any size is granted. A mapping that holds memory must leave
  // at least a third of that amount free, so that no mapping takes everything: alone it gets three
  // quarters.
  class Use {
   public:
    Use(CallMemory& memory, Share& share, std::size_t bytes)
        : memory_(memory), share_(share), bytes_(memory.take(share, bytes) ? bytes : 0) {}
    ~Use() { shrink(0); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    bool is_granted() const { return bytes_ > 0; }
    // Reduces the call's memory to `bytes`. Never increases it.
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

  // Memory that is held stays held, even if it exceeds the new limit.
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

  mutable std::mutex mutex_;  // guards the members below, and each Share
  std::size_t limit_;
  std::size_t held_ = 0;
};

}  // namespace magneto::server::feeds
