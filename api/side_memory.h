#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

namespace magneto::api {

// What the process keeps beside data, in bytes: journals, fault rules and insights of all namespaces,
// which share one bound. Counted where it lies. Thread-safe.
class SideMemory {
 public:
  // The one that all share. Without a limit until set_limit().
  static SideMemory& of_process() {
    static SideMemory memory;
    return memory;
  }

  // Before requests come. What is kept stays, though it be more.
  void set_limit(std::size_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // More is kept than may be: for what is added without asking, and drops what is older.
  bool is_over() const { return bytes() > limit_.load(std::memory_order_relaxed); }

  void add(std::size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void give_back(std::size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  // False, and nothing is taken, where so much is not left.
  bool take(std::size_t bytes) {
    add(bytes);
    if (!is_over()) return true;
    give_back(bytes);
    return false;
  }

  // Bytes that are taken while it lives, if they were left.
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
