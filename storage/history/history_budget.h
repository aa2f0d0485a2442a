#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace magneto::storage {

// The limit for all histories of a store together, and the bytes that they use: keys and values, in
// a fork without the data below it. Writers only count. The history keeper
// (background/history_keeper.h) is woken and removes the oldest records. So the limit may be
// exceeded for a moment, and no write waits or fails because of it. Thread-safe.
class HistoryBudget {
 public:
  static constexpr std::int64_t kDefault = std::int64_t{256} << 20;

  void set_limit(std::int64_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }
  std::int64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  // A segment with more bytes is full. Segments are removed whole, so each must be a small part of
  // all.
  std::int64_t segment_limit() const { return limit() / 32; }

  std::int64_t used() const { return used_.load(std::memory_order_relaxed); }
  bool is_over() const { return used() > limit(); }
  void add(std::int64_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }

  // For a write that finds no room for its data: that many bytes of history are removed in its
  // favour. False if there are not so many. The bytes are owed until they are removed.
  bool lend(std::int64_t bytes) {
    const std::int64_t owed = owed_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (owed > used()) {
      owed_.fetch_sub(bytes, std::memory_order_relaxed);
      return false;
    }
    wake();
    return true;
  }
  std::int64_t owed() const { return owed_.load(std::memory_order_relaxed); }
  void pay(std::int64_t bytes) { owed_.fetch_sub(bytes, std::memory_order_relaxed); }

  // Sets the callback that wakes the history keeper. Set it before the first write; it must outlive
  // the last.
  void on_due(std::function<void()> wake) { wake_ = std::move(wake); }
  void wake() const {
    if (wake_) wake_();
  }

 private:
  std::atomic<std::int64_t> limit_{kDefault};
  std::atomic<std::int64_t> used_{0};
  std::atomic<std::int64_t> owed_{0};
  std::function<void()> wake_;
};
using HistoryBudgetPtr = std::shared_ptr<HistoryBudget>;

}  // namespace magneto::storage
