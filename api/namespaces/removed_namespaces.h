#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "api/namespaces/namespace.h"

namespace magneto::api {

// Destroys namespaces that have no holder any more, on its own thread, and regularly removes
// expired ones. Thread-safe.
class RemovedNamespaces {
 public:
  using TimePoint = Namespace::SteadyClock::time_point;
  // Removes expired namespaces and returns the time of its next call; nullopt: not before look().
  using RemoveExpired = std::function<std::optional<TimePoint>()>;

  explicit RemovedNamespaces(RemoveExpired remove_expired)
      : remove_expired_(std::move(remove_expired)) {}
  // Destroys all namespaces that it was given.
  ~RemovedNamespaces();

  // Called before the first namespace is made. Throws std::system_error.
  void start();
  // Takes over a namespace without holders. Never waits.
  void take(Namespace* removed) noexcept;
  // The number of namespaces that it has destroyed.
  std::uint64_t destroyed() const { return destroyed_.load(std::memory_order_relaxed); }
  // Called when expiry times have changed.
  void look();
  // Waits until at most `most` of the namespaces taken over are left; false if that takes longer
  // than `time`, or if too many threads are already waiting.
  bool wait_for_few(std::size_t most, std::chrono::milliseconds time);

 private:
  static constexpr std::size_t kMostWaiting = 200;  // threads

  void run();
  void destroy(Namespace* first);

  const RemoveExpired remove_expired_;
  std::atomic<std::uint64_t> destroyed_{0};
  std::mutex mutex_;  // guards the members below
  std::condition_variable woken_;
  std::condition_variable fewer_;
  std::size_t count_ = 0;       // taken over and not yet destroyed
  std::size_t waiting_ = 0;     // threads in wait_for_few()
  Namespace* first_ = nullptr;  // first of a list by next_removed_
  bool looks_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace magneto::api
