#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <vector>

#include "tests/storage/shared_store.h"

namespace magneto::storage {

// Runs threads one at a time: at each step of the store, a seed decides which of them goes on. So a
// seed repeats a run, as long as no thread waits for another one. A thread that makes an announcement
// does so beside the others, because it may have to wait for them.
class SeededScheduler {
 public:
  explicit SeededScheduler(std::uint32_t seed) : random_(seed) {}

  // Runs the calls, each on a thread of its own, until all have ended.
  void run(const std::vector<std::function<void()>>& calls);
  // For SharedStore::at_each_step(). Threads that run() did not start are left alone.
  void step(SharedStore::Step step);

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  // These require mutex_.
  void choose();
  void leave(std::size_t thread);

  std::mt19937 random_;
  std::mutex mutex_;  // guards the next members
  std::condition_variable changed_;
  std::vector<std::size_t> ready_;  // threads that wait for their turn, or have it
  std::size_t turn_ = kNobody;
};

}  // namespace magneto::storage
