#pragma once

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace magneto::server::tools {

// Ends work that the user has stopped.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

// Whether the user has asked the copy to end. Thread-safe.
class StopSignal {
 public:
  explicit StopSignal(const std::atomic<bool>& asked) : asked_(asked) {}

  bool is_set() const { return asked_.load(std::memory_order_relaxed); }
  // Throws Stopped if the signal is set.
  void check() const {
    if (is_set()) throw Stopped();
  }
  // Sleeps until `time`. Throws Stopped within some 50 ms after the signal is set.
  void sleep_until(std::chrono::steady_clock::time_point time) const;
  void sleep_for(std::chrono::milliseconds time) const {
    sleep_until(std::chrono::steady_clock::now() + time);
  }

 private:
  const std::atomic<bool>& asked_;
};

// Returns a flag that the first SIGINT or SIGTERM sets from now on. A second one of the same kind
// has its default effect and ends the process.
const std::atomic<bool>& stop_on_signals();

}  // namespace magneto::server::tools
