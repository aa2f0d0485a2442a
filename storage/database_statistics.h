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
  std::optional<IndexLag> lag;  // nullopt: it is never behind
};

struct TableStatistics {
  std::string name;
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  std::vector<IndexStatistics> indexes;
  std::optional<std::chrono::microseconds> stream_lag;  // of readers; nullopt: no stream is enabled
};

// A store at a moment, for whoever watches it; not one moment for all of its parts.
struct StoreStatistics {
  // The first tables, ascending by database and name: with several databases a name may come twice.
  std::vector<TableStatistics> tables;
  // All others, summed up: without a name, their indexes in one, which has the longest lag.
  std::optional<TableStatistics> other_tables;
  std::size_t table_count = 0;
  std::uint64_t transaction_conflicts =
      0;  // items that were asked for while a transaction held them
  EngineStatistics engine;
};

// Of at most `max_tables` tables singly. Takes a microsecond a table or so, and may wait for the disk.
StoreStatistics measure(const DatabaseStore& store, std::size_t max_tables);

}  // namespace magneto::storage
