#include "api/capacity/throughput_limiter.h"

#include <algorithm>

namespace magneto::api {

namespace {

constexpr double kBurstSeconds = 300;

bool is_limited(const storage::Table& table) {
  return table.schema.billing == storage::BillingMode::kProvisioned;
}

}  // namespace

Throttled ThroughputLimiter::throttled(const storage::Table& table, const storage::Index* index,
                                       UnitUse use) {
  Throttled found;
  if (!is_limited(table)) return found;
  const std::lock_guard lock(mutex_);
  const auto look_at = [&](const storage::Index* global) {
    const bool is_table = global == nullptr;
    const Bucket& bucket =
        filled_bucket(is_table ? table.statistics : global->statistics,
                      is_table ? table.schema.provisioned : global->schema.provisioned, use);
    if (bucket.units <= 0) found.push_back(global);
  };
  if (use == UnitUse::kRead) {
    look_at(index != nullptr && index->schema.has_own_throughput() ? index : nullptr);
  } else {
    look_at(nullptr);
    for (const auto& written : table.indexes) {
      if (!written->schema.has_own_throughput()) continue;
      if (written->schema.status != storage::ResourceStatus::kDeleting) look_at(written.get());
    }
  }
  if (!found.empty()) {
    throttles_[static_cast<std::size_t>(use)].fetch_add(1, std::memory_order_relaxed);
  }
  return found;
}

void ThroughputLimiter::consume(const storage::Table& table, const ConsumedCapacity& capacity,
                                UnitUse use) {
  if (!is_limited(table)) return;
  const std::lock_guard lock(mutex_);
  double of_table = capacity.table;
  for (const auto& [index, units] : capacity.indexes) {
    if (index->schema.has_own_throughput()) {
      filled_bucket(index->statistics, index->schema.provisioned, use).units -= units;
    } else {
      of_table += units;
    }
  }
  if (of_table > 0) {
    filled_bucket(table.statistics, table.schema.provisioned, use).units -= of_table;
  }
}

ThroughputLimiter::Bucket& ThroughputLimiter::filled_bucket(
    const std::shared_ptr<storage::Statistics>& owner,
    const storage::ProvisionedThroughput& throughput, UnitUse use) {
  if (buckets_.size() >= next_sweep_) forget_dropped();
  const auto rate =
      static_cast<double>(use == UnitUse::kRead ? throughput.read_units : throughput.write_units);
  const storage::Clock::TimePoint now = clock_.now();
  Bucket& bucket = buckets_[Key{owner.get(), use}];
  if (bucket.owner.expired()) {
    bucket = {rate, now, owner};
  } else {
    // A clock that was set back brings nothing.
    const double seconds = std::chrono::duration<double>(now - bucket.filled).count();
    bucket.units = std::min(bucket.units + std::max(seconds, 0.0) * rate, kBurstSeconds * rate);
    bucket.filled = now;
  }
  return bucket;
}

void ThroughputLimiter::forget_dropped() {
  absl::erase_if(buckets_, [](const auto& entry) { return entry.second.owner.expired(); });
  next_sweep_ = 2 * std::max<std::size_t>(buckets_.size(), 32);
}

}  // namespace magneto::api
