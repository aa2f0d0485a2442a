#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "api/capacity/consumed_capacity.h"
#include "api/capacity/key_meters.h"
#include "api/capacity/throttle_cause.h"
#include "api/capacity/throughput_meter.h"
#include "storage/clock.h"
#include "storage/table/item_write.h"
#include "storage/table/table.h"

namespace magneto::api {

// Holds tables and global indexes to their throughput (throughput_meter.h), and each partition key
// of them to what one partition of DynamoDB serves. A partition may use that whatever its share of
// the table's units is ("adaptive capacity"), and one that is hot is split, down to one partition
// key; so what holds in the end is one meter for each key. No burst goes beyond it (AWS developer
// guide, "Burst and adaptive capacity"). What a Scan reads is of no key. Thread-safe: the meters of
// one table share a lock, held for one of them at a time.
class ThroughputLimiter {
 public:
  // Of one partition key in a second (AWS developer guide, "Designing partition keys").
  static constexpr double kKeyReadUnits = 3'000;
  static constexpr double kKeyWriteUnits = 1'000;

  explicit ThroughputLimiter(const storage::Clock& clock) : clock_(clock) {}

  // What leaves nothing to a read of `index` (nullptr or local: of the table) or to a write. A write
  // may draw from the table and all its global indexes (AWS developer guide, "Provisioned throughput
  // considerations for Global Secondary Indexes"). `key` is that of the index, for a write that of
  // the table.
  Throttled throttled(const storage::Table& table, const storage::Index* index, UnitUse use,
                      KeyDigest key = std::nullopt);
  // The same of global indexes, for what a write of the item does to their entries.
  Throttled throttled_entries(const storage::Table& table, storage::ItemView before,
                              storage::ItemView after);

  // How often the two found some, for reads and for writes.
  std::uint64_t throttle_count(UnitUse use) const {
    return throttles_[static_cast<std::size_t>(use)].load(std::memory_order_relaxed);
  }

  // What a request used, known when it is done. Local indexes draw from their table.
  void consume(const storage::Table& table, const ConsumedCapacity& capacity, UnitUse use);
  // Of that, what it used of one partition key.
  void count_read(const storage::Table& table, const storage::Index* index, KeyDigest key,
                  double units);
  // The same of a write: of the table's key and of those of global indexes, `factor` times.
  void count_write(const storage::WriteOutcome& outcome, storage::ItemView key, double factor);

 private:
  struct Entry {
    ThroughputMeter meter;
    std::weak_ptr<storage::Statistics> owner;  // gone when the table or index is
  };
  using Key = std::pair<const storage::Statistics*, UnitUse>;
  struct alignas(64) Shard {
    std::mutex mutex;
    absl::flat_hash_map<Key, Entry> meters;
    std::size_t next_sweep = 64;  // meters at which those of dropped tables are looked for
  };

  std::optional<ThroughputLimit> exceeded(const storage::Table& table, const storage::Index* global,
                                          UnitUse use, storage::Clock::TimePoint now);
  void take(const storage::Table& table, const storage::Index* global, UnitUse use,
            storage::Clock::TimePoint now, double units);
  // Requires the mutex of the shard, and is valid while that is held.
  static ThroughputMeter& meter_in(Shard& shard, const std::shared_ptr<storage::Statistics>& owner,
                                   UnitUse use);
  Shard& shard_of(const std::shared_ptr<storage::Statistics>& owner);

  bool is_spent(const storage::Table& table, const storage::Index* global, UnitUse use,
                std::uint64_t key, std::int64_t second);
  void count(const storage::Table& table, const storage::Index* global, UnitUse use, KeyDigest key,
             double units);
  void count_throttle(const Throttled& found, UnitUse use);

  const storage::Clock& clock_;
  std::array<std::atomic<std::uint64_t>, 2> throttles_{};  // by UnitUse
  std::array<Shard, 16> shards_;
  KeyMeters read_keys_{kKeyReadUnits};
  KeyMeters write_keys_{kKeyWriteUnits};
};

}  // namespace magneto::api
