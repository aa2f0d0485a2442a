#include "storage/engine/cache/partition_cache.h"

#include <chrono>
#include <utility>

#include "storage/engine/cache/cached_partition.h"

namespace magneto::storage {

PartitionCache::PartitionCache(const Engine& below, std::uint64_t budget)
    : below_(below),
      budget_(static_cast<std::int64_t>(budget)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void PartitionCache::request_load(std::weak_ptr<Tree> tree) {
  {
    std::lock_guard lock(mutex_);
    requested_.push_back(std::move(tree));
  }
  changed_.notify_all();
}

void PartitionCache::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return requested_.empty() && !is_loading_; });
}

CacheStatistics PartitionCache::statistics() const {
  const std::int64_t bytes = bytes_.load(std::memory_order_relaxed);
  return {.bytes = bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0,
          .budget = static_cast<std::uint64_t>(budget_),
          .loads = loads_.load(std::memory_order_relaxed)};
}

void PartitionCache::stop() {
  thread_.request_stop();
  thread_.join();
}

void PartitionCache::free_later(RecordTree contents) {
  {
    std::lock_guard lock(mutex_);
    evicted_.push_back(std::move(contents));
  }
  changed_.notify_all();
}

void PartitionCache::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return !requested_.empty() || !evicted_.empty(); };
  while (changed_.wait(lock, stop, has_work)) {
    std::vector<RecordTree> evicted = std::exchange(evicted_, {});
    std::weak_ptr<Tree> requested;
    if (!requested_.empty()) {
      requested = std::move(requested_.back());
      requested_.pop_back();
      is_loading_ = true;
    }
    lock.unlock();
    evicted.clear();
    if (const TreePtr tree = requested.lock()) load(*tree, stop);
    lock.lock();
    is_loading_ = false;
    changed_.notify_all();
  }
}

// A tree that cannot be read stays absent: readers get the error from the engine below.
void PartitionCache::load(const Tree& tree, const std::stop_token& stop) {
  CachedPartition& partition = *CachedPartition::of(tree);
  const auto size = static_cast<std::int64_t>(below_.estimate_size(tree));
  if (bytes_.load(std::memory_order_relaxed) + size > budget_) return;
  if (!begin_loading(partition, stop)) return;
  loads_.fetch_add(1, std::memory_order_relaxed);
  try {
    const std::unique_ptr<Cursor> cursor = below_.scan(tree, {}, {}, Direction::kForward);
    while (partition.load_chunk(*cursor)) {
      if (stop.stop_requested() || is_over_budget()) return partition.evict();
    }
  } catch (const EngineError&) {
    partition.evict();
  }
}

// Starts between two commits, of which there may be many.
bool PartitionCache::begin_loading(CachedPartition& partition, const std::stop_token& stop) {
  constexpr int kAttempts = 200;
  constexpr std::chrono::milliseconds kPause(1);
  for (int attempt = 0; !partition.begin_loading(); ++attempt) {
    if (!partition.is_absent() || stop.stop_requested()) return false;
    if (attempt == kAttempts) {
      partition.forget_request();
      return false;
    }
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace magneto::storage
