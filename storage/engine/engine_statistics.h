#pragma once

#include <cstdint>
#include <optional>

namespace magneto::storage {

// What a cache of whole partitions (engine/cache) holds and did. Bytes are of memory.
struct CacheStatistics {
  std::uint64_t bytes = 0;
  std::uint64_t budget = 0;
  std::uint64_t hits = 0;    // reads, and scans begun, of a partition that was there
  std::uint64_t misses = 0;  // those passed on to the engine below
  std::uint64_t loads = 0;   // of partitions, begun
};

// What RocksDB tells of itself.
struct DiskStatistics {
  std::uint64_t memory_table_bytes = 0;
  std::uint64_t block_cache_bytes = 0;
  std::uint64_t table_reader_bytes = 0;  // of memory: indexes and filters of open tables
  std::uint64_t table_bytes = 0;         // on disk, obsolete versions too
  std::uint64_t pending_compaction_bytes = 0;
  std::uint64_t level0_files = 0;
  std::uint64_t running_flushes = 0;
  std::uint64_t running_compactions = 0;
  std::uint64_t background_errors = 0;
  bool is_stalled = false;  // writes are held up until flushes or compactions have caught up
};

// An engine at a moment, for whoever watches it.
struct EngineStatistics {
  std::uint64_t node_bytes = 0;          // of memory, taken for nodes of B-trees
  std::optional<CacheStatistics> cache;  // nullopt: there is none
  std::optional<DiskStatistics> disk;    // nullopt: not on disk
};

}  // namespace magneto::storage
