#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

namespace magneto::api {

// Memory that the process uses in addition to data, in bytes: the journals, fault rules and
// insights of all namespaces. They share one limit. Each part is counted where it is held.
// Thread-safe.
class SideMemory {
 public:
  // The instance of the process. No limit until set_limit().
  static SideMemory& of_process() {
    static SideMemory memory;
    return memory;
  }

  // Call this before requests arrive. Memory in use stays in use, even above the limit.
  void set_limit(std::size_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // More memory is in use than allowed. For code that adds without asking and then drops older
  // entries.
  bool is_over() const { return bytes() > limit_.load(std::memory_order_relaxed); }

  void add(std::size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_back(std::size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  // Returns false, and takes nothing, if less than `bytes` is left.
  bool take(std::size_t bytes) {
    add(bytes);
    if (!is_over()) return true;
    give_back(bytes);
    return false;
  }

  // Holds bytes for its lifetime, if they were available.
  class Use {
   public:
    Use(SideMemory& memory, std::size_t bytes)
        : memory_(memory), bytes_(memory.take(bytes) ? bytes : 0) {}
    ~Use() { memory_.give_back(bytes_); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    bool is_granted() const { return bytes_ > 0; }

   private:
    SideMemory& memory_;
    const std::size_t bytes_;
  };

 private:
  std::atomic<std::size_t> bytes_{0};
  std::atomic<std::size_t> limit_{std::numeric_limits<std::size_t>::max()};
};

}  // namespace magneto::api
