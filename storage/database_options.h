#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "storage/model/limits.h"

namespace magneto::storage {

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
  std::chrono::milliseconds time_to_live_delay{0};  // how long items stay after their expiry
  std::uint64_t memory_budget = 512ULL << 20;       // bytes of cache and buffers on disk engines
  // Bytes for the client tokens of ten minutes, 104 each and more. When they
  // are used up, transactions under a new token are refused.
  std::size_t token_memory = 256ULL << 20;
  // Bytes an item collection may hold, where a table has local indexes.
  std::int64_t item_collection_limit = kMaxItemCollectionSize;
  // Told when background work fails and will be tried again, from background threads. Empty: the
  // sentence goes to standard error.
  std::function<void(std::string_view)> report_warning;
};

}  // namespace magneto::storage
