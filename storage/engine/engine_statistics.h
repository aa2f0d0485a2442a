#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace magneto::storage {

// Contents and activity of a cache of whole partitions (engine/cache). Bytes are bytes of memory.
struct CacheStatistics {
  std::uint64_t bytes = 0;
  std::uint64_t budget = 0;
  std::uint64_t hits = 0;    // reads, and scans begun, of a cached partition
  std::uint64_t misses = 0;  // reads and scans passed on to the engine below
  std::uint64_t loads = 0;   // loads of partitions begun
};

// Figures that RocksDB reports.
struct DiskStatistics {
  std::uint64_t memory_table_bytes = 0;
  std::uint64_t block_cache_bytes = 0;
  std::uint64_t table_reader_bytes = 0;  // of memory: indexes and filters of open tables
  std::uint64_t table_bytes = 0;         // on disk, with obsolete versions
  std::uint64_t pending_compaction_bytes = 0;
  std::uint64_t level0_files = 0;
  std::uint64_t running_flushes = 0;
  std::uint64_t running_compactions = 0;
  std::uint64_t background_errors = 0;
  bool is_stalled = false;  // writes are delayed until flushes or compactions have caught up
};

// The activity of a store in a database that several servers can reach.
struct SharedStoreStatistics {
  std::int64_t epoch = 0;                 // of the lease: each take-over adds one
  std::chrono::nanoseconds lease_age{0};  // since the lease was renewed
  std::uint64_t groups = 0;               // committed transactions
  std::uint64_t group_writes = 0;         // batches in them
  std::chrono::nanoseconds group_time{0};
  std::uint64_t conflicts = 0;         // transactions that the database wanted to have repeated
  std::uint64_t lost_connections = 0;  // in use

  // Only of a store with a group of servers.
  std::size_t servers = 0;
  std::chrono::nanoseconds settled_age{0};  // since the moment whose commits have all ended
  std::chrono::nanoseconds clock_lead{0};   // of the versions that this server draws
  std::uint64_t scope_conflicts = 0;        // commits of scopes that met one
  std::uint64_t barriers = 0;               // waits for scopes and changes of all servers
  std::chrono::nanoseconds barrier_time{0};
};

// The state of an engine at one moment, for monitoring.
struct EngineStatistics {
  std::uint64_t node_bytes = 0;                      // memory of the nodes of B-trees
  std::optional<CacheStatistics> cache;              // nullopt: there is no cache
  std::optional<DiskStatistics> disk;                // nullopt: not on disk
  std::optional<SharedStoreStatistics> shared = {};  // nullopt: of this process alone
};

}  // namespace magneto::storage
