#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "storage/table/write_refused.h"

namespace magneto::storage {

// Thrown if there is no room for a write.
class OutOfMemoryBudget : public WriteRefused {
 public:
  explicit OutOfMemoryBudget(std::size_t write) : write_(write) {}
  std::size_t write() const { return write_; }  // its position in the batch of writes

 private:
  std::size_t write_;
};

// Thrown if the process or the fork has reached its memory limit: only writes that add no data
// succeed.
class MemoryFull : public OutOfMemoryBudget {
 public:
  // `what`: the limit that was reached, in words for a user (MemoryBudget::refusal).
  MemoryFull(std::size_t write, const char* what) : OutOfMemoryBudget(write), what_(what) {}
  const char* what() const noexcept override { return what_; }

 private:
  const char* what_;
};

// The data that may be added before the process reaches its memory limit. A meter measures the
// process from time to time and calls set(); writers subtract the bytes they add in between.
// Thread-safe.
class MemoryBudget {
 public:
  // More than can be added before the next measurement. Writers then count nothing and only read a
  // value that does not change.
  static constexpr std::int64_t kPlenty = std::numeric_limits<std::int64_t>::max();
  // An item takes about twice its size (bench/README.md), a small one more. The argument of set()
  // is the memory that is left, divided by this.
  static constexpr std::int64_t kMemoryOfAByte = 2;

  // `measure` measures at once and calls set(), for a take() that finds no room left. `trim`
  // releases the heap's free memory and then measures. Set before the first take(); both must
  // outlive the last one.
  void set_meter(std::function<void()> measure, std::function<void()> trim = {}) {
    measure_ = std::move(measure);
    trim_ = std::move(trim);
  }
  // Marks the room of a fork. Only its own meter measures it, each time that it is full. Replacing
  // or deleting data there frees nothing below.
  void set_of_fork() { is_of_fork_ = true; }
  bool is_of_fork() const { return is_of_fork_; }
  // Why nothing can be taken, once it is full.
  const char* refusal() const;
  // Makes this room a part of `whole`: bytes taken here are taken there too. Set before the first
  // take().
  void set_whole(std::shared_ptr<MemoryBudget> whole) { whole_ = std::move(whole); }

  // `bytes`: 0 if full; kPlenty if far from the limit. `reserve`: additional bytes, for deletions
  // only.
  void set(std::int64_t bytes, std::int64_t reserve = 0) {
    reserve_.store(reserve, std::memory_order_relaxed);
    full_.store(bytes <= 0, std::memory_order_relaxed);
    if (left_.load(std::memory_order_relaxed) != bytes) {
      left_.store(bytes, std::memory_order_relaxed);
    }
  }
  bool is_plenty() const {
    return left_.load(std::memory_order_relaxed) == kPlenty &&
           (whole_ == nullptr || whole_->is_plenty());
  }
  bool is_full() const {
    if (is_of_fork_ && left_.load(std::memory_order_relaxed) <= 0) measure_();
    return full_.load(std::memory_order_relaxed) || (whole_ != nullptr && whole_->is_full());
  }

  // The next two may take long: do not call them for a write.

  // Measures, and returns whether about `bytes` more fit.
  bool has_room_for(std::int64_t bytes) {
    if (measure_) measure_();
    const std::int64_t left = left_.load(std::memory_order_relaxed);
    const bool fits = left == kPlenty || bytes / kMemoryOfAByte <= left;
    return !full_.load(std::memory_order_relaxed) && fits;
  }
  void trim() {
    if (trim_) trim_();
  }

  // For background work, which must not delay the meter: only counts. Such work also checks
  // is_full().
  void note(std::int64_t bytes) {
    if (left_.load(std::memory_order_relaxed) != kPlenty) {
      left_.fetch_sub(bytes, std::memory_order_relaxed);
    }
    if (whole_ != nullptr) whole_->note(bytes);
  }

  // For deletions, whose records in streams may take more than they free: may use the reserve as
  // well.
  bool take_for_deletion(std::int64_t bytes) {
    if (whole_ != nullptr && !whole_->take_for_deletion(bytes)) return false;
    if (take_own(bytes)) return true;
    if (reserve_.load(std::memory_order_relaxed) > 0) {
      reserve_.fetch_sub(bytes, std::memory_order_relaxed);
      return true;
    }
    if (whole_ != nullptr) whole_->give_back(bytes);
    return false;
  }
  // False if it is full. The last successful call may exceed the room that was left.
  bool take(std::int64_t bytes) {
    if (whole_ != nullptr && !whole_->take(bytes)) return false;
    if (take_own(bytes)) return true;
    if (whole_ != nullptr) whole_->give_back(bytes);
    return false;
  }
  // Returns bytes that were taken but not used.
  void give_back(std::int64_t bytes) { note(-bytes); }

 private:
  bool take_own(std::int64_t bytes) {
    std::int64_t left = left_.load(std::memory_order_relaxed);
    if (left <= 0 && measure_ && (is_of_fork_ || !full_.load(std::memory_order_relaxed))) {
      measure_();
      left = left_.load(std::memory_order_relaxed);
    }
    if (left == kPlenty) return true;
    if (left <= 0) return false;
    left_.fetch_sub(bytes, std::memory_order_relaxed);
    return true;
  }

  std::atomic<std::int64_t> left_{kPlenty};
  std::atomic<std::int64_t> reserve_{0};
  std::atomic<bool> full_{false};  // as measured
  std::function<void()> measure_;
  std::function<void()> trim_;
  bool is_of_fork_ = false;
  std::shared_ptr<MemoryBudget> whole_;
};

}  // namespace magneto::storage
