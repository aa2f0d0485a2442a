#include "api/capacity/throughput_limiter.h"

#include <algorithm>
#include <initializer_list>

#include "absl/hash/hash.h"

namespace magneto::api {

namespace {

using storage::Index;
using storage::ItemView;
using storage::Table;

// nullptr: the table's throughput applies.
const Index* global_or_null(const Index* index) {
  return index != nullptr && index->schema.has_own_throughput() ? index : nullptr;
}

bool is_written(const Index& index) {
  return index.schema.has_own_throughput() &&
         index.schema.status != storage::ResourceStatus::kDeleting;
}

const std::shared_ptr<storage::Statistics>& owner_of(const Table& table, const Index* global) {
  return global == nullptr ? table.statistics : global->statistics;
}

// Identifies a key among all partition keys of all tables. Numbers of tables and indexes are never
// reused.
std::uint64_t qualified(const Table& table, const Index* global, std::uint64_t key) {
  return absl::HashOf(table.schema.number, global == nullptr ? 0 : global->schema.number, key);
}

void add_cause(Throttled& found, const ThrottleCause& cause) {
  if (std::ranges::find(found, cause) == found.end()) found.push_back(cause);
}

}  // namespace

Throttled ThroughputLimiter::throttled(const Table& table, const Index* index, UnitUse use,
                                       KeyDigest key) {
  Throttled found;
  const storage::Clock::TimePoint now = clock_.now();
  const auto look_at = [&](const Index* global) {
    if (const auto limit = exceeded(table, global, use, now)) found.push_back({global, *limit});
  };
  const Index* const global = use == UnitUse::kRead ? global_or_null(index) : nullptr;
  look_at(global);
  if (key && is_spent(table, global, use, *key, second_of(now))) {
    add_cause(found, {global, ThroughputLimit::kKeyRange});
  }
  if (use == UnitUse::kWrite) {
    for (const auto& written : table.indexes) {
      if (is_written(*written)) look_at(written.get());
    }
  }
  count_throttle(found, use);
  return found;
}

Throttled ThroughputLimiter::throttled_entries(const Table& table, ItemView before,
                                               ItemView after) {
  Throttled found;
  const std::int64_t second = second_of(clock_.now());
  for (const auto& index : table.indexes) {
    if (!is_written(*index)) continue;
    for (const ItemView item : {before, after}) {
      const KeyDigest key = digest_of(index->schema.key.partition, item);
      if (key && is_spent(table, index.get(), UnitUse::kWrite, *key, second)) {
        add_cause(found, {index.get(), ThroughputLimit::kKeyRange});
      }
    }
  }
  count_throttle(found, UnitUse::kWrite);
  return found;
}

void ThroughputLimiter::consume(const Table& table, const ConsumedCapacity& capacity, UnitUse use) {
  const storage::Clock::TimePoint now = clock_.now();
  double of_table = capacity.table;
  for (const auto& [index, units] : capacity.indexes) {
    if (index->schema.has_own_throughput()) {
      take(table, index, use, now, units);
    } else {
      of_table += units;
    }
  }
  if (of_table > 0) take(table, nullptr, use, now, of_table);
}

void ThroughputLimiter::count_read(const Table& table, const Index* index, KeyDigest key,
                                   double units) {
  count(table, global_or_null(index), UnitUse::kRead, key, units);
}

void ThroughputLimiter::count_write(const storage::WriteOutcome& outcome, ItemView key,
                                    double table_factor) {
  const Table& table = *outcome.table;
  ConsumedCapacity capacity;
  add_write(outcome, capacity);
  double of_table = table_factor * capacity.table;
  for (const auto& [index, units] : capacity.indexes) {
    if (global_or_null(index) == nullptr) of_table += units;
  }
  count(table, nullptr, UnitUse::kWrite, digest_of(table.schema.key.partition, key), of_table);
  for (const auto& [index, old_size, new_size, moved] : outcome.index_effects) {
    if (global_or_null(index) == nullptr) continue;
    const auto count_entry = [&, index = index](ItemView item, std::size_t size) {
      count(table, index, UnitUse::kWrite, digest_of(index->schema.key.partition, item),
            write_units(size));
    };
    // A moved entry counts as two: one deleted, one put.
    if (moved) count_entry(outcome.old_item.view(), old_size);
    if (moved || new_size != 0) {
      count_entry(outcome.new_item.view(), moved ? new_size : std::max(old_size, new_size));
    } else {
      count_entry(outcome.old_item.view(), old_size);
    }
  }
}

std::optional<ThroughputLimit> ThroughputLimiter::exceeded(const Table& table, const Index* global,
                                                           UnitUse use,
                                                           storage::Clock::TimePoint now) {
  const ThroughputTerms terms = terms_of(table, global, use);
  const auto& owner = owner_of(table, global);
  Shard& shard = shard_of(owner);
  const std::lock_guard lock(shard.mutex);
  return meter_in(shard, owner, use).exceeded(terms, now);
}

void ThroughputLimiter::take(const Table& table, const Index* global, UnitUse use,
                             storage::Clock::TimePoint now, double units) {
  const ThroughputTerms terms = terms_of(table, global, use);
  const auto& owner = owner_of(table, global);
  Shard& shard = shard_of(owner);
  const std::lock_guard lock(shard.mutex);
  meter_in(shard, owner, use).take(terms, now, of_all_servers(units));
}

ThroughputLimiter::Shard& ThroughputLimiter::shard_of(
    const std::shared_ptr<storage::Statistics>& owner) {
  return shards_[absl::HashOf(owner.get()) % shards_.size()];
}

ThroughputMeter& ThroughputLimiter::meter_in(Shard& shard,
                                             const std::shared_ptr<storage::Statistics>& owner,
                                             UnitUse use) {
  if (shard.meters.size() >= shard.next_sweep) {
    absl::erase_if(shard.meters, [](const auto& entry) { return entry.second.owner.expired(); });
    shard.next_sweep = 2 * std::max<std::size_t>(shard.meters.size(), 32);
  }
  Entry& entry = shard.meters[Key{owner.get(), use}];
  if (entry.owner.expired()) entry = {{}, owner};
  return entry.meter;
}

bool ThroughputLimiter::is_spent(const Table& table, const Index* global, UnitUse use,
                                 std::uint64_t key, std::int64_t second) {
  KeyMeters& keys = use == UnitUse::kRead ? read_keys_ : write_keys_;
  return keys.is_spent(qualified(table, global, key), second);
}

void ThroughputLimiter::count(const Table& table, const Index* global, UnitUse use, KeyDigest key,
                              double units) {
  if (!key) return;
  KeyMeters& keys = use == UnitUse::kRead ? read_keys_ : write_keys_;
  keys.count(qualified(table, global, *key), second_of(clock_.now()), of_all_servers(units));
}

void ThroughputLimiter::count_throttle(const Throttled& found, UnitUse use) {
  if (found.empty()) return;
  throttles_[static_cast<std::size_t>(use)].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace magneto::api
