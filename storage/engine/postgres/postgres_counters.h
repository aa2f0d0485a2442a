#pragma once

#include <atomic>
#include <cstdint>

namespace magneto::storage {

// The activity of one store, for SharedStoreStatistics. Thread-safe.
struct PostgresCounters {
  std::atomic<std::uint64_t> groups{0};
  std::atomic<std::uint64_t> batches{0};
  std::atomic<std::uint64_t> group_nanoseconds{0};
  std::atomic<std::uint64_t> conflicts{0};
  std::atomic<std::uint64_t> lost_connections{0};
  std::atomic<std::uint64_t> scope_conflicts{0};
  std::atomic<std::uint64_t> barriers{0};
  std::atomic<std::uint64_t> barrier_nanoseconds{0};
};

}  // namespace magneto::storage
