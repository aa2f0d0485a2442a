#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
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

// Enforces the throughput of tables and global indexes (throughput_meter.h), and limits each of
// their partition keys to the throughput of one DynamoDB partition. A partition may use that
// throughput with any share of the table's units ("adaptive capacity"). A hot partition is split,
// down to a single partition key, so in effect each key has one meter. Bursts do not exceed it (AWS
// developer guide, "Burst and adaptive capacity"). Reads by a Scan count for no key. Thread-safe:
// the meters of one table share a lock, which is held for one meter at a time.
class ThroughputLimiter {
 public:
  // Units per second of one partition key (AWS developer guide, "Designing partition keys").
  static constexpr double kKeyReadUnits = 3'000;
  static constexpr double kKeyWriteUnits = 1'000;

  // `servers`: how many servers the requests of a store are distributed over. Each of them allows an
  // equal part of the throughput. nullptr: one server gets all requests.
  using Servers = std::function<std::size_t()>;
  explicit ThroughputLimiter(const storage::Clock& clock, Servers servers = nullptr)
      : clock_(clock), servers_(std::move(servers)) {}

  // The causes that throttle a read of `index` (nullptr or local: of the table) or a write. A write
  // draws from the table and from all its global indexes (AWS developer guide, "Provisioned
  // throughput considerations for Global Secondary Indexes"). `key` is the key of the index for a
  // read, and of the table for a write.
  Throttled throttled(const storage::Table& table, const storage::Index* index, UnitUse use,
                      KeyDigest key = std::nullopt);
  // The global indexes that throttle a write because of the entries that it changes.
  Throttled throttled_entries(const storage::Table& table, storage::ItemView before,
                              storage::ItemView after);

  // How often the two functions above found causes, for reads and for writes.
  std::uint64_t throttle_count(UnitUse use) const {
    return throttles_[static_cast<std::size_t>(use)].load(std::memory_order_relaxed);
  }

  // Subtracts the units that a finished request used. Local indexes draw from their table.
  void consume(const storage::Table& table, const ConsumedCapacity& capacity, UnitUse use);
  // Counts the units that a read used of one partition key.
  void count_read(const storage::Table& table, const storage::Index* index, KeyDigest key,
                  double units);
  // Counts the units of a write, for the table's key and the keys of its global indexes. The table's
  // own units are multiplied by `table_factor`.
  void count_write(const storage::WriteOutcome& outcome, storage::ItemView key,
                   double table_factor);

 private:
  struct Entry {
    ThroughputMeter meter;
    std::weak_ptr<storage::Statistics> owner;  // expired when the table or index is gone
  };
  using Key = std::pair<const storage::Statistics*, UnitUse>;
  struct alignas(64) Shard {
    std::mutex mutex;
    absl::flat_hash_map<Key, Entry> meters;
    std::size_t next_sweep = 64;  // number of meters at which those of dropped tables are removed
  };

  std::optional<ThroughputLimit> exceeded(const storage::Table& table, const storage::Index* global,
                                          UnitUse use, storage::Clock::TimePoint now);
  void take(const storage::Table& table, const storage::Index* global, UnitUse use,
            storage::Clock::TimePoint now, double units);
  // Requires the shard's mutex; the result is valid while the mutex is held.
  static ThroughputMeter& meter_in(Shard& shard, const std::shared_ptr<storage::Statistics>& owner,
                                   UnitUse use);
  Shard& shard_of(const std::shared_ptr<storage::Statistics>& owner);

  bool is_spent(const storage::Table& table, const storage::Index* global, UnitUse use,
                std::uint64_t key, std::int64_t second);
  void count(const storage::Table& table, const storage::Index* global, UnitUse use, KeyDigest key,
             double units);
  void count_throttle(const Throttled& found, UnitUse use);
  // The units of all servers, if each of them uses as many as this one.
  double of_all_servers(double units) const {
    return servers_ == nullptr ? units : units * static_cast<double>(servers_());
  }

  const storage::Clock& clock_;
  const Servers servers_;
  std::array<std::atomic<std::uint64_t>, 2> throttles_{};  // by UnitUse
  std::array<Shard, 16> shards_;
  KeyMeters read_keys_{kKeyReadUnits};
  KeyMeters write_keys_{kKeyWriteUnits};
};

}  // namespace magneto::api
