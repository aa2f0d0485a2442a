#pragma once

#include <atomic>
#include <cstddef>

namespace magneto::server {

// How much memory slow clients may make the server keep, all connections together: requests that
// are not whole yet, answers that are not taken yet. Thread-safe.
class HeldMemory {
 public:
  explicit HeldMemory(std::size_t limit) : limit_(limit) {}

  // False, and nothing added, when that would exceed the limit.
  bool add(std::size_t bytes) {
    if (bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_) return true;
    release(bytes);
    return false;
  }
  void release(std::size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> bytes_{0};
};

}  // namespace magneto::server
