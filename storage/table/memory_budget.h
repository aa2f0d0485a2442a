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

// There is no room for a write.
class OutOfMemoryBudget : public WriteRefused {
 public:
  explicit OutOfMemoryBudget(std::size_t write) : write_(write) {}
  std::size_t write() const { return write_; }  // its place among those written together

 private:
  std::size_t write_;
};

// The process, or the fork, holds as much as it may: only what adds no data is written.
class MemoryFull : public OutOfMemoryBudget {
 public:
  // `what`: which of both, for a user (MemoryBudget::refusal).
  MemoryFull(std::size_t write, const char* what) : OutOfMemoryBudget(write), what_(what) {}
  const char* what() const noexcept override { return what_; }

 private:
  const char* what_;
};

// How much data may be added before the process reaches its memory limit. Whoever measures the
// process says so every now and then; writers take what they add in between. Thread-safe.
class MemoryBudget {
 public:
  // More than can be added before the next measurement: writers do not count then, and share
  // nothing but a value that stays as it is.
  static constexpr std::int64_t kPlenty = std::numeric_limits<std::int64_t>::max();
  // An item takes about twice its size (bench/README.md), small ones more: what set() is given is the
  // memory that is left, divided by this.
  static constexpr std::int64_t kMemoryOfAByte = 2;

  // What measures at once and calls set(), for take() that finds nothing left. Set before the first
  // take(); to outlive the last.
  // `trim` gives back what the heap keeps free, and measures then.
  void set_meter(std::function<void()> measure, std::function<void()> trim = {}) {
    measure_ = std::move(measure);
    trim_ = std::move(trim);
  }
  // The room of a fork, which nobody but its meter measures: that is asked whenever it is full. What
  // is replaced or deleted there frees nothing below.
  void set_of_fork() { is_of_fork_ = true; }
  bool is_of_fork() const { return is_of_fork_; }
  // Why nothing is taken, once it is full.
  const char* refusal() const;
  // The room of which this is a part: what is taken here is taken there too. Set before the first
  // take().
  void set_whole(std::shared_ptr<MemoryBudget> whole) { whole_ = std::move(whole); }

  // `bytes`: 0 when full; kPlenty far from the limit. `reserve`: for deletions alone, beyond that.
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

  // The next two may take long: never for a write.

  // Measures, and whether about so many bytes more fit.
  bool has_room_for(std::int64_t bytes) {
    if (measure_) measure_();
    const std::int64_t left = left_.load(std::memory_order_relaxed);
    const bool fits = left == kPlenty || bytes / kMemoryOfAByte <= left;
    return !full_.load(std::memory_order_relaxed) && fits;
  }
  void trim() {
    if (trim_) trim_();
  }

  // For background work, which must not be in the way of whoever measures: counts, and looks at
  // is_full() besides.
  void note(std::int64_t bytes) {
    if (left_.load(std::memory_order_relaxed) != kPlenty) {
      left_.fetch_sub(bytes, std::memory_order_relaxed);
    }
    if (whole_ != nullptr) whole_->note(bytes);
  }

  // For deletions, whose records in streams may take more than they free: also from the reserve.
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
  // False when it is full. What is taken last may exceed what was left.
  bool take(std::int64_t bytes) {
    if (whole_ != nullptr && !whole_->take(bytes)) return false;
    if (take_own(bytes)) return true;
    if (whole_ != nullptr) whole_->give_back(bytes);
    return false;
  }
  // What take() gave and was not used.
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
