#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "storage/messages/memory_messages.h"
#include "storage/table/write_refused.h"

namespace magneto::storage {

// There is no room for a write.
class OutOfRoom : public WriteRefused {
 public:
  explicit OutOfRoom(std::size_t write) : write_(write) {}
  std::size_t write() const { return write_; }  // its place among those written together

 private:
  std::size_t write_;
};

// The process holds as much as it may: only what adds no data is written.
class MemoryFull : public OutOfRoom {
 public:
  using OutOfRoom::OutOfRoom;
  // Seen where a back-fill meets it.
  const char* what() const noexcept override { return messages::kMemoryFull; }
};

// How much data may be added before the process reaches its memory limit. Whoever measures the
// process says so every now and then; writers take what they add in between. Thread-safe.
class DataRoom {
 public:
  // More than can be added before the next measurement: writers do not count then, and share
  // nothing but a value that stays as it is.
  static constexpr std::int64_t kPlenty = std::numeric_limits<std::int64_t>::max();

  // What measures at once and calls set(), for take() that finds nothing left. Set before the first
  // take(); to outlive the last.
  void set_meter(std::function<void()> measure) { measure_ = std::move(measure); }

  // `bytes`: 0 when full; kPlenty far from the limit.
  void set(std::int64_t bytes) {
    full_.store(bytes <= 0, std::memory_order_relaxed);
    if (left_.load(std::memory_order_relaxed) != bytes) {
      left_.store(bytes, std::memory_order_relaxed);
    }
  }
  bool is_plenty() const { return left_.load(std::memory_order_relaxed) == kPlenty; }
  bool is_full() const { return full_.load(std::memory_order_relaxed); }

  // For background work, which must not be in the way of whoever measures: counts, and looks at
  // is_full() besides.
  void note(std::int64_t bytes) {
    if (!is_plenty()) left_.fetch_sub(bytes, std::memory_order_relaxed);
  }

  // False when it is full. What is taken last may exceed what was left.
  bool take(std::int64_t bytes) {
    if (is_plenty()) return true;
    if (left_.load(std::memory_order_relaxed) <= 0 && !is_full() && measure_) measure_();
    if (is_plenty()) return true;
    if (left_.load(std::memory_order_relaxed) <= 0) return false;
    left_.fetch_sub(bytes, std::memory_order_relaxed);
    return true;
  }
  // What take() gave and was not used.
  void give_back(std::int64_t bytes) { note(-bytes); }

 private:
  std::atomic<std::int64_t> left_{kPlenty};
  std::atomic<bool> full_{false};  // as measured
  std::function<void()> measure_;
};

}  // namespace magneto::storage
