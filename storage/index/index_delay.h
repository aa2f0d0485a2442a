#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace magneto::storage {

// How long asynchronous indexes are to lag behind their tables. Can be turned while all works; off
// it costs a write and a read one load each. Thread-safe.
class IndexDelay {
 public:
  using Milliseconds = std::chrono::milliseconds;

  // nullopt: they are never seen to lag.
  explicit IndexDelay(std::optional<Milliseconds> delay) { set(delay); }

  bool is_on() const { return setting_.load(std::memory_order_relaxed) != kOff; }
  // Changes wait for longer than it takes to apply them.
  bool holds_back() const { return setting_.load(std::memory_order_relaxed) > 0; }
  // Nothing is applied but what is released, or is too much to be kept.
  bool is_held() const { return setting_.load() == kHeld; }
  // nullopt: off. While it is held longer than any other.
  std::optional<Milliseconds> delay() const {
    const std::int64_t setting = setting_.load();
    return setting == kOff ? std::nullopt : std::optional(Milliseconds(setting));
  }

  void set(std::optional<Milliseconds> delay) { setting_.store(delay ? delay->count() : kOff); }
  void hold() { setting_.store(kHeld); }

 private:
  static constexpr std::int64_t kOff = -1;
  // As long as times can be apart, so that no sum overflows.
  static constexpr std::int64_t kHeld =
      std::chrono::duration_cast<Milliseconds>(std::chrono::years(10'000)).count();

  std::atomic<std::int64_t> setting_{kOff};
};

}  // namespace magneto::storage
