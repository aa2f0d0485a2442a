#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/engine/postgres/postgres_options.h"
#include "storage/model/limits.h"
#include "storage/table/memory_budget.h"

namespace magneto::storage {

struct BackgroundThreads;

// The options of a store and of all databases in it.
struct DatabaseOptions {
  std::string data_directory;  // empty: in memory
  bool sync_writes = false;    // fsync before a write is acknowledged
  // A store in a PostgreSQL database, instead of a data directory.
  std::optional<PostgresOptions> store = std::nullopt;
  // Partitions of every new table; 0: as DynamoDB does (4 on-demand, else by units).
  std::uint32_t partitions = 0;
  std::chrono::milliseconds control_plane_delay{0};  // how long CREATING, UPDATING, DELETING last
  bool delays_whole_tables = true;                   // false: only UpdateTable is delayed
  // How long a global index lags behind its table. Absent: it never seems to lag, because a read of
  // the index first waits for every write that was acknowledged before it began. Pending changes
  // are kept in memory as well.
  std::optional<std::chrono::milliseconds> global_index_delay;
  // How long a change takes to reach a table's replicas; absent: it is sent soon.
  std::optional<std::chrono::milliseconds> replication_delay = std::nullopt;
  std::chrono::milliseconds time_to_live_delay{0};  // how long items stay after they expire
  // How many threads can find tables at once without waiting for each other; 0: all.
  std::size_t reader_slots = 0;
  // Bytes that a fork may keep of its own; 0: no limit. Beyond it, writes that add data are
  // refused.
  std::int64_t fork_memory = 0;
  // The budget for all data that the process keeps in memory; nullptr: this store's data is all.
  std::shared_ptr<MemoryBudget> whole_room = nullptr;
  std::uint64_t memory_budget = 512ULL << 20;  // bytes of cache and buffers on disk engines
  // Bytes for the client tokens of ten minutes, at least 104 each. When they are used up,
  // transactions under a new token are refused.
  std::size_t token_memory = 256ULL << 20;
  // Bytes that an item collection may hold, in a table with local indexes.
  std::int64_t item_collection_limit = kMaxItemCollectionSize;
  // Bytes for the histories of tables with point-in-time recovery; beyond it the oldest records go.
  std::int64_t history_limit = std::int64_t{256} << 20;
  // The threads that do the store's background work. The store then has no threads of its own and
  // costs nothing while it is idle (storage/background/shared_thread.h). Must outlive the store.
  // nullptr: the store has its own threads.
  BackgroundThreads* background = nullptr;
  // No background work starts by itself: the store is opened only to take a snapshot of it.
  bool is_still = false;
  // Called from background threads when background work fails and will be retried. Empty: the
  // sentence goes to standard error.
  std::function<void(std::string_view)> report_warning;
};

}  // namespace magneto::storage
