#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/engine/engine_statistics.h"

namespace magneto::storage {

struct DatabaseStore;

// How far an asynchronous index is behind its table.
struct IndexLag {
  std::uint64_t changes = 0;
  std::chrono::nanoseconds time{0};  // since the oldest of them; up to a chunk too much
};

struct IndexStatistics {
  std::string name;
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  std::optional<IndexLag> lag;  // nullopt: the index is never behind
};

struct TableStatistics {
  std::string name;
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  std::vector<IndexStatistics> indexes;
  // lag of readers; nullopt: no stream is enabled
  std::optional<std::chrono::microseconds> stream_lag;
};

// The statistics of a store, for monitoring. Its parts are not measured at one moment.
struct StoreStatistics {
  // The first tables, ascending by database and name. A name may repeat if there are several
  // databases.
  std::vector<TableStatistics> tables;
  // The sum of all other tables, without a name. Their indexes are one entry, with the longest lag.
  std::optional<TableStatistics> other_tables;
  std::size_t table_count = 0;
  // Requests for items that a transaction held at that time.
  std::uint64_t transaction_conflicts = 0;
  EngineStatistics engine;
};

// Lists at most `max_tables` tables singly. Takes about a microsecond for each table, and may wait
// for the disk.
StoreStatistics measure(const DatabaseStore& store, std::size_t max_tables);

}  // namespace magneto::storage
