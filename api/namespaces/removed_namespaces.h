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

// Destroys namespaces that nobody holds any more, on a thread of its own, and asks now and then
// which ones have expired. Thread-safe.
class RemovedNamespaces {
 public:
  using TimePoint = Namespace::SteadyClock::time_point;
  // Removes what has expired, and says when to be asked again; nullopt: not before look().
  using RemoveExpired = std::function<std::optional<TimePoint>()>;

  explicit RemovedNamespaces(RemoveExpired remove_expired)
      : remove_expired_(std::move(remove_expired)) {}
  // Destroys what it was given.
  ~RemovedNamespaces();

  // Before the first namespace is made. Throws std::system_error.
  void start();
  // Takes one over that nobody holds. Waits for nothing.
  void take(Namespace* removed) noexcept;
  // How many it has destroyed.
  std::uint64_t destroyed() const { return destroyed_.load(std::memory_order_relaxed); }
  // What expires has changed.
  void look();
  // Waits until at most `most` are left that were taken over; false: not within `time`, or too many
  // wait already.
  bool wait_for_few(std::size_t most, std::chrono::milliseconds time);

 private:
  static constexpr std::size_t kMostWaiting = 200;  // threads

  void run();
  void destroy(Namespace* first);

  const RemoveExpired remove_expired_;
  std::atomic<std::uint64_t> destroyed_{0};
  std::mutex mutex_;  // guards what follows
  std::condition_variable woken_;
  std::condition_variable fewer_;
  std::size_t count_ = 0;       // taken over, and not destroyed yet
  std::size_t waiting_ = 0;     // in wait_for_few()
  Namespace* first_ = nullptr;  // of a list by next_removed_
  bool looks_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace magneto::api
