#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace magneto::storage {

// How long asynchronous indexes lag behind their tables. It can be changed at any time; when off,
// it costs a write and a read one load each. Thread-safe.
class IndexDelay {
 public:
  using Milliseconds = std::chrono::milliseconds;

  // nullopt: the indexes never seem to lag.
  explicit IndexDelay(std::optional<Milliseconds> delay) { set(delay); }

  bool is_on() const { return setting_.load(std::memory_order_relaxed) != kOff; }
  // Whether changes stay pending longer than their application takes.
  bool holds_back() const { return setting_.load(std::memory_order_relaxed) > 0; }
  // Whether changes are applied only if they are released or exceed the limit of pending changes.
  bool is_held() const { return setting_.load() == kHeld; }
  // nullopt: off. While held, longer than any other delay.
  std::optional<Milliseconds> delay() const {
    const std::int64_t setting = setting_.load();
    return setting == kOff ? std::nullopt : std::optional(Milliseconds(setting));
  }

  void set(std::optional<Milliseconds> delay) { setting_.store(delay ? delay->count() : kOff); }
  void hold() { setting_.store(kHeld); }

 private:
  static constexpr std::int64_t kOff = -1;
  // The longest difference of times, so that no sum overflows.
  static constexpr std::int64_t kHeld =
      std::chrono::duration_cast<Milliseconds>(std::chrono::years(10'000)).count();

  std::atomic<std::int64_t> setting_{kOff};
};

}  // namespace magneto::storage
