#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "api/capacity/consumed_capacity.h"
#include "storage/clock.h"
#include "storage/table/table.h"

namespace magneto::api {

// What has no units left and so throttles a request: the table (nullptr), or global indexes of it.
using Throttled = absl::InlinedVector<const storage::Index*, 2>;

// Holds provisioned tables and global indexes to their throughput, as DynamoDB does with token
// buckets: each second brings the provisioned units, and what is not used is kept for up to 300
// seconds (AWS developer guide, "Burst capacity"). What a request uses is known only when it is
// done, so one may run while its bucket holds anything, and may leave it in debt. A new table
// begins with the units of one second. On-demand tables are not limited. Thread-safe.
class ThroughputLimiter {
 public:
  explicit ThroughputLimiter(const storage::Clock& clock) : clock_(clock) {}

  // The empty buckets that a read of `index` (nullptr or local: of the table) or a write would draw
  // from; none: it may run. A write may draw from the table and all its global indexes (AWS
  // developer guide, "Provisioned throughput considerations for Global Secondary Indexes").
  Throttled throttled(const storage::Table& table, const storage::Index* index, UnitUse use);

  // How often throttled() found some, for reads and for writes.
  std::uint64_t throttle_count(UnitUse use) const {
    return throttles_[static_cast<std::size_t>(use)].load(std::memory_order_relaxed);
  }

  // What a request used, known when it is done. Local indexes draw from their table.
  void consume(const storage::Table& table, const ConsumedCapacity& capacity, UnitUse use);

 private:
  struct Bucket {
    double units = 0;
    storage::Clock::TimePoint filled;
    std::weak_ptr<storage::Statistics> owner;  // gone when the table or index is
  };
  using Key = std::pair<const storage::Statistics*, UnitUse>;

  // Filled up to now. Requires mutex_; valid until the next call.
  Bucket& filled_bucket(const std::shared_ptr<storage::Statistics>& owner,
                        const storage::ProvisionedThroughput& throughput, UnitUse use);
  void forget_dropped();

  const storage::Clock& clock_;
  std::array<std::atomic<std::uint64_t>, 2> throttles_{};  // by UnitUse
  std::mutex mutex_;                                       // guards what follows
  absl::flat_hash_map<Key, Bucket> buckets_;
  std::size_t next_sweep_ = 64;  // buckets at which those of dropped tables are looked for
};

}  // namespace magneto::api
