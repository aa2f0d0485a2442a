#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/memory/node_pool.h"
#include "storage/engine/memory/record_tree.h"

namespace magneto::storage {

class CachedPartition;

// The budget that all cached partitions share, and the thread that loads partitions and frees
// evicted ones. Thread-safe.
class PartitionCache {
 public:
  // The thread reads `below` until stop(). `budget`: bytes.
  PartitionCache(const Engine& below, std::uint64_t budget);
  PartitionCache(const PartitionCache&) = delete;
  PartitionCache& operator=(const PartitionCache&) = delete;

  // Loads the tree, which has a CachedPartition, in the background if there is room.
  void request_load(std::weak_ptr<Tree> tree);
  // Waits until no load is pending.
  void settle();
  // Ends loading for ever; the engine below is not used after this returns.
  void stop();

  // Without hits and misses, which the engine counts.
  CacheStatistics statistics() const;

  bool is_over_budget() const { return bytes_.load(std::memory_order_relaxed) > budget_; }

  // ---- for CachedPartition ----------------------------------------------------------------------

  const std::shared_ptr<NodePool>& pool() const { return pool_; }
  // `bytes` more are held, or fewer if negative.
  void count(std::int64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  // A partition with contents was removed, so others may fit now. room_made() counts these calls,
  // from 1.
  void record_room_made() { ++room_made_; }
  std::uint32_t room_made() const { return room_made_.load(std::memory_order_relaxed); }
  // Frees contents on the cache's thread, since that takes long.
  void free_later(RecordTree contents);

 private:
  void run(const std::stop_token& stop);
  void load(const Tree& tree, const std::stop_token& stop);
  bool begin_loading(CachedPartition& partition, const std::stop_token& stop);

  const Engine& below_;
  const std::int64_t budget_;
  const std::shared_ptr<NodePool> pool_ = std::make_shared<NodePool>();
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<std::uint32_t> room_made_{1};
  std::atomic<std::uint64_t> loads_{0};  // begun

  std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  std::vector<std::weak_ptr<Tree>> requested_;
  std::vector<RecordTree> evicted_;  // to be freed
  bool is_loading_ = false;

  std::jthread thread_;
};

}  // namespace magneto::storage
