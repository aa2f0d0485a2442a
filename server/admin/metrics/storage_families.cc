#include "server/admin/metrics/storage_families.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/database_statistics.h"
#include "storage/engine/engine_statistics.h"

namespace magneto::server::admin {
namespace {

constexpr std::string_view kStoreActive = "magneto_store_active";
constexpr std::string_view kStoreActiveHelp =
    "1 on the server that holds the store, 0 on one that waits for it";

double storage_seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

// Tables with the same name, of separate callers, share a row.
struct IndexRow {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  bool is_asynchronous = false;
  std::uint64_t changes = 0;
  std::chrono::nanoseconds lag{0};
};
struct TableRow {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  bool has_stream = false;
  std::chrono::microseconds stream_lag{0};
  std::map<std::string, IndexRow> indexes;
};
using Rows = std::map<std::string, TableRow>;

// `indexes_left`: the number of indexes that may still get their own rows.
void add_storage(const storage::TableStatistics& table, TableRow& row, std::size_t& indexes_left) {
  row.items += table.items;
  row.bytes += table.bytes;
  if (table.stream_lag) {
    row.has_stream = true;
    row.stream_lag = std::max(row.stream_lag, *table.stream_lag);
  }
  for (const storage::IndexStatistics& index : table.indexes) {
    const bool is_other = !row.indexes.contains(index.name) && indexes_left == 0;
    const auto [found, is_new] = row.indexes.try_emplace(is_other ? kOtherTables : index.name);
    if (is_new && !is_other) --indexes_left;
    IndexRow& sum = found->second;
    sum.items += index.items;
    sum.bytes += index.bytes;
    if (!index.lag) continue;
    sum.is_asynchronous = true;
    sum.changes += index.lag->changes;
    sum.lag = std::max(sum.lag, index.lag->time);
  }
}

Rows storage_rows_of(const storage::StoreStatistics& store) {
  Rows rows;
  std::size_t indexes_left = kMostIndexesOfAPage;
  for (const storage::TableStatistics& table : store.tables) {
    add_storage(table, rows[table.name], indexes_left);
  }
  if (store.other_tables) {
    storage::TableStatistics others = *store.other_tables;
    indexes_left = 0;
    add_storage(others, rows[kOtherTables], indexes_left);
  }
  return rows;
}

void add_tables(const Rows& rows, MetricFamilies& families) {
  families.begin_gauge("magneto_table_items", "Items of a table");
  for (const auto& [name, row] : rows) families.add(row.items, {{"table", name}});
  families.begin_gauge("magneto_table_bytes", "Size of a table's items, as DynamoDB counts it");
  for (const auto& [name, row] : rows) families.add(row.bytes, {{"table", name}});
  families.begin_gauge("magneto_stream_reader_lag_seconds",
                       "Age, before the newest record, of the first one that no reader was given");
  for (const auto& [name, row] : rows) {
    if (row.has_stream) families.add(storage_seconds_of(row.stream_lag), {{"table", name}});
  }
}

// `value_of` gives a sample for each index, or only for asynchronous ones.
template <typename ValueOf>
void add_indexes(const Rows& rows, bool asynchronous, ValueOf value_of, MetricFamilies& families) {
  for (const auto& [table, row] : rows) {
    for (const auto& [name, index] : row.indexes) {
      if (asynchronous && !index.is_asynchronous) continue;
      families.add(value_of(index), {{"table", table}, {"index", name}});
    }
  }
}

void add_all_indexes(const Rows& rows, MetricFamilies& families) {
  families.begin_gauge("magneto_index_items", "Entries of an index");
  add_indexes(
      rows, false, [](const IndexRow& row) { return row.items; }, families);
  families.begin_gauge("magneto_index_bytes", "Size of an index's entries");
  add_indexes(
      rows, false, [](const IndexRow& row) { return row.bytes; }, families);
  families.begin_gauge("magneto_index_changes_behind",
                       "Changes of the table that a global index has not followed yet");
  add_indexes(
      rows, true, [](const IndexRow& row) { return row.changes; }, families);
  families.begin_gauge("magneto_index_seconds_behind", "Age of the oldest of these changes");
  add_indexes(
      rows, true, [](const IndexRow& row) { return storage_seconds_of(row.lag); }, families);
}

void add_engine(const storage::EngineStatistics& engine, MetricFamilies& families) {
  families.begin_gauge("magneto_engine_memory_bytes", "Memory of the engine, by what takes it");
  if (engine.node_bytes != 0) families.add(engine.node_bytes, {{"owner", "nodes"}});
  if (engine.cache) families.add(engine.cache->bytes, {{"owner", "cache"}});
  if (engine.disk) {
    families.add(engine.disk->memory_table_bytes, {{"owner", "memory_tables"}});
    families.add(engine.disk->block_cache_bytes, {{"owner", "block_cache"}});
    families.add(engine.disk->table_reader_bytes, {{"owner", "table_readers"}});
  }
  if (engine.cache) {
    families.gauge("magneto_cache_limit_bytes", "What the cache of partitions may take",
                   engine.cache->budget);
    families.counter("magneto_cache_hits_total", "Reads of partitions that were cached",
                     engine.cache->hits);
    families.counter("magneto_cache_misses_total", "Reads of partitions that were not",
                     engine.cache->misses);
    families.counter("magneto_cache_loads_total", "Partitions loaded", engine.cache->loads);
  }
  if (!engine.disk) return;
  const auto& disk = *engine.disk;
  families.gauge("magneto_disk_table_bytes", "RocksDB's tables, obsolete versions too",
                 disk.table_bytes);
  families.gauge("magneto_disk_pending_compaction_bytes", "What compactions have to rewrite",
                 disk.pending_compaction_bytes);
  families.gauge("magneto_disk_level0_files", "Tables that no compaction has merged yet",
                 disk.level0_files);
  families.begin_gauge("magneto_disk_background_work", "Flushes and compactions that run");
  families.add(disk.running_flushes, {{"work", "flush"}});
  families.add(disk.running_compactions, {{"work", "compaction"}});
  families.counter("magneto_disk_background_errors_total", "Flushes and compactions that failed",
                   disk.background_errors);
  families.gauge("magneto_disk_stalled", "1 while writes wait for flushes or compactions",
                 disk.is_stalled ? 1 : 0);
}

void add_shared_store(const storage::SharedStoreStatistics& store, MetricFamilies& families) {
  families.gauge(kStoreActive, kStoreActiveHelp, 1);
  families.gauge("magneto_store_epoch", "Number of the lease: each take-over adds one",
                 store.epoch);
  families.gauge("magneto_store_lease_age_seconds", "Time since the lease was renewed",
                 storage_seconds_of(store.lease_age));
  families.counter("magneto_store_groups_total", "Transactions that committed waiting writes",
                   store.groups);
  families.counter("magneto_store_group_writes_total", "Writes in these transactions",
                   store.group_writes);
  families.counter("magneto_store_group_seconds_total", "Time of these transactions",
                   storage_seconds_of(store.group_time));
  families.counter("magneto_store_conflicts_total",
                   "Transactions that the database asked to repeat", store.conflicts);
  families.counter("magneto_store_connections_lost_total",
                   "Connections to the database that were lost in use", store.lost_connections);
  if (store.servers == 0) return;
  families.gauge("magneto_store_servers", "Servers that share the store", store.servers);
  families.gauge("magneto_store_settled_age_seconds",
                 "Age of the newest moment whose commits have all ended",
                 storage_seconds_of(store.settled_age));
  families.gauge("magneto_store_clock_lead_seconds",
                 "Time by which the numbers of this server's writes lead its clock",
                 storage_seconds_of(store.clock_lead));
  families.counter("magneto_store_scope_conflicts_total",
                   "Writes that met one of another server and were decided again",
                   store.scope_conflicts);
  families.counter("magneto_store_barriers_total", "Waits for all servers after a change of tables",
                   store.barriers);
  families.counter("magneto_store_barrier_seconds_total", "Time of these waits",
                   storage_seconds_of(store.barrier_time));
}

}  // namespace

void add_storage_families(const api::ServiceStatistics& service, MetricFamilies& families) {
  const storage::StoreStatistics& store = service.store;
  families.gauge("magneto_tables", "Tables", store.table_count);
  const Rows rows = storage_rows_of(store);
  add_tables(rows, families);
  add_all_indexes(rows, families);
  families.begin_counter(
      "magneto_throttled_total",
      "Attempts of requests, or of members of one, that lacked provisioned units");
  families.add(service.throttled_reads, {{"use", "read"}});
  families.add(service.throttled_writes, {{"use", "write"}});
  families.counter("magneto_transaction_conflicts_total",
                   "Attempts to use an item while a transaction held it",
                   store.transaction_conflicts);
  add_engine(store.engine, families);
  if (store.engine.shared) add_shared_store(*store.engine.shared, families);
}

void add_families_of_waiting_server(MetricFamilies& families) {
  families.gauge(kStoreActive, kStoreActiveHelp, 0);
}

}  // namespace magneto::server::admin
