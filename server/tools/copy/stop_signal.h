#pragma once

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace magneto::server::tools {

// Thrown where work ends because somebody asked for it.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

// Whether somebody asked the copy to end. Thread-safe.
class StopSignal {
 public:
  explicit StopSignal(const std::atomic<bool>& asked) : asked_(asked) {}

  bool is_set() const { return asked_.load(std::memory_order_relaxed); }
  // Throws Stopped when it is set.
  void check() const {
    if (is_set()) throw Stopped();
  }
  // Sleeps until then, or until it is set, which is seen within some 50 ms, and throws Stopped.
  void sleep_until(std::chrono::steady_clock::time_point time) const;
  void sleep_for(std::chrono::milliseconds time) const {
    sleep_until(std::chrono::steady_clock::now() + time);
  }

 private:
  const std::atomic<bool>& asked_;
};

// What SIGINT and SIGTERM set from now on, the first of each: the second one ends the process as it
// would have without.
const std::atomic<bool>& stop_on_signals();

}  // namespace magneto::server::tools
