#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/model/limits.h"
#include "storage/table/memory_budget.h"

namespace magneto::storage {

struct BackgroundThreads;

// Of a store and all databases in it.
struct DatabaseOptions {
  std::string data_directory;  // empty: in memory
  bool sync_writes = false;    // fsync before a write is acknowledged
  // Of every new table; 0: as DynamoDB does (4 on-demand, else by units).
  std::uint32_t partitions = 0;
  std::chrono::milliseconds control_plane_delay{0};  // how long CREATING, UPDATING, DELETING last
  bool delays_whole_tables = true;                   // false: that delay is for UpdateTable alone
  // How long a global index lags behind its table. Absent: never seen to lag, because a read of the
  // index first waits for what was acknowledged before it began. What lags is kept in memory too.
  std::optional<std::chrono::milliseconds> global_index_delay;
  // How long after it was made a change comes to a table's replicas; absent: soon.
  std::optional<std::chrono::milliseconds> replication_delay = std::nullopt;
  std::chrono::milliseconds time_to_live_delay{0};  // how long items stay once they are due
  // For how many threads at once tables are found without waiting for another; 0: for all.
  std::size_t reader_slots = 0;
  // Bytes that a fork may keep of its own; 0: any number. Beyond it what adds data is refused.
  std::int64_t fork_memory = 0;
  // Of all that the process keeps in memory; nullptr: this store's is all.
  std::shared_ptr<MemoryBudget> whole_room = nullptr;
  std::uint64_t memory_budget = 512ULL << 20;  // bytes of cache and buffers on disk engines
  // Bytes for the client tokens of ten minutes, 104 each and more. When they
  // are used up, transactions under a new token are refused.
  std::size_t token_memory = 256ULL << 20;
  // Bytes an item collection may hold, where a table has local indexes.
  std::int64_t item_collection_limit = kMaxItemCollectionSize;
  // Bytes for the histories of tables with point-in-time recovery; beyond it the oldest goes.
  std::int64_t history_limit = std::int64_t{256} << 20;
  // Whose threads do the background work of the store, which then has none of its own and costs
  // nothing while it is idle (storage/background/shared_thread.h). To outlive it. nullptr: the store
  // has threads of its own.
  BackgroundThreads* background = nullptr;
  // Nothing happens in the store by itself: it is opened to be snapshotted.
  bool is_still = false;
  // Told when background work fails and will be tried again, from background threads. Empty: the
  // sentence goes to standard error.
  std::function<void(std::string_view)> report_warning;
};

}  // namespace magneto::storage
