#include "storage/engine/rocksdb/rocksdb_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/table_properties_collectors.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "storage/engine/rocksdb/rocksdb_memtable.h"

namespace magneto::storage {

namespace {

constexpr std::uint64_t kMegabyte = 1ULL << 20;
// Budgets below this belong to stores below forks, of which there may be many.
constexpr std::uint64_t kSmallBudget = 32 * kMegabyte;

// In the order of ColumnFamily. RocksDB always creates the default column family, so one kind uses
// it.
constexpr std::array<const char*, kFamilyCount> kFamilyNames = {"items",   "indexes", "queue",
                                                                "default", "expiry",  "streams"};

// Several buffers of a column family may wait for their flush. RocksDB stops writes while all are
// full, and delays them before. Meanwhile each write takes a worker, and costs twice as much.
constexpr int kWriteBuffers = 5;

// A quarter of the budget may be unflushed writes.
std::uint64_t write_buffer_budget(const RocksdbOptions& options) {
  return std::max(options.memory_budget / 4, 4 * kMegabyte);
}

// Small buffers stay in the processor's caches, where a write costs less.
std::uint64_t write_buffer_size(const RocksdbOptions& options) {
  return std::min(write_buffer_budget(options) / kWriteBuffers, 8 * kMegabyte);
}

rocksdb::BlockBasedTableOptions table_options(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 8 << 10;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.optimize_filters_for_memory = true;
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  return table;
}

rocksdb::ColumnFamilyOptions family_options(const RocksdbOptions& options,
                                            const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions family;
#ifndef MAGNETO_ROCKSDBS_MEMTABLE
  family.memtable_factory = make_memtable_factory();
#endif
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_options(cache)));
  family.write_buffer_size = write_buffer_size(options);
  family.max_write_buffer_number = kWriteBuffers;
  family.level0_file_num_compaction_trigger = 8;
  family.level_compaction_dynamic_level_bytes = true;
  family.compression_per_level = {rocksdb::kNoCompression, rocksdb::kNoCompression,
                                  rocksdb::kLZ4Compression};
  // Compacts runs of deleted keys early, as in the queue and after a deleted table.
  family.table_properties_collector_factories = {
      rocksdb::NewCompactOnDeletionCollectorFactory(10'000, 5'000)};
  return family;
}

}  // namespace

std::uint64_t most_unflushed(const RocksdbOptions& options) {
  return kWriteBuffers * write_buffer_size(options);
}

rocksdb::DBOptions database_options(const RocksdbOptions& options) {
  rocksdb::DBOptions database;
  database.create_if_missing = true;
  database.create_missing_column_families = true;

  // A record torn by a killed process was not acknowledged and is dropped from the log's end.
  // Damage before the end stops the start instead of losing the records after it.
  database.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  database.max_total_wal_size = std::max(options.memory_budget / 4, 4 * kMegabyte);
  database.avoid_flush_during_recovery = true;
  database.manifest_preallocation_size = 64 << 10;

  database.skip_stats_update_on_db_open = true;
  database.max_open_files = options.memory_budget < kSmallBudget ? 32 : 256;
  database.max_file_opening_threads = 1;  // at the start, for the few files that are opened then
  database.max_background_jobs = 2;
  // If a writer yields its processor to a flush, it gets it back after milliseconds, and the
  // writers behind it wait as long.
  database.enable_write_thread_adaptive_yield = false;
  database.writable_file_max_buffer_size = 32 << 10;  // small pieces, see background_throttle.h
  database.bytes_per_sync = kMegabyte;
  database.wal_bytes_per_sync = kMegabyte;
  database.avoid_unnecessary_blocking_io = true;

  database.stats_dump_period_sec = 0;
  database.stats_persist_period_sec = 0;
  database.max_manifest_file_size = 16 * kMegabyte;
  return database;
}

std::vector<rocksdb::ColumnFamilyDescriptor> column_families(const RocksdbOptions& options,
                                                             rocksdb::DBOptions& database) {
  // Few parts: one must be able to hold the index of a large file, some megabytes.
  constexpr int kPartBits = 2;
  const std::shared_ptr<rocksdb::Cache> cache =
      rocksdb::NewLRUCache(options.memory_budget, kPartBits);
  database.write_buffer_manager =
      std::make_shared<rocksdb::WriteBufferManager>(write_buffer_budget(options), cache);
  const rocksdb::ColumnFamilyOptions family = family_options(options, cache);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.reserve(kFamilyNames.size());
  for (const char* name : kFamilyNames) families.emplace_back(name, family);
  return families;
}

}  // namespace magneto::storage
