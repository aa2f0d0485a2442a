#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/index/index_entry.h"
#include "storage/model/table_schema.h"
#include "storage/stream/stream_log.h"
#include "storage/table/expiry_queue.h"
#include "storage/table/partition_map.h"

namespace magneto::storage {

// Live number and bytes of entries of a table or index. Shared by all versions of a table.
struct Statistics {
  std::atomic<std::int64_t> item_count{0};
  std::atomic<std::int64_t> size_bytes{0};
};

// An index with the trees that hold it.
struct Index {
  IndexSchema schema;
  ProjectedAttributes projected;
  PartitionMap partitions;
  std::shared_ptr<Statistics> statistics;
  // Set once the index or its table is dropped, for all versions: pending changes of it are let go.
  std::shared_ptr<std::atomic<bool>> dropped;
};

// One version of a table: its schema and the trees that hold it. Immutable; a request pins the
// version it started with, and every change by UpdateTable publishes a new one.
struct Table {
  TableSchema schema;
  PartitionMap partitions;
  std::shared_ptr<Statistics> statistics;
  std::vector<std::shared_ptr<const Index>> indexes;  // in schema order
  std::shared_ptr<const ExpiryQueue> expiry;          // nullptr without time to live
  StreamPtr stream;                                   // nullptr unless one is enabled
  // True once a newer version is published or the table is deleted. A writer that holds a key and
  // reads false may write by this version: whoever superseded it waits for the writer's scope.
  mutable std::atomic<bool> superseded{false};

  const Index* find_index(std::string_view name) const;
};
using TablePtr = std::shared_ptr<const Table>;

}  // namespace magneto::storage
