#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/partition_map.h"
#include "storage/history/table_history.h"
#include "storage/index/index_applier.h"
#include "storage/index/index_store.h"
#include "storage/index/statistics.h"
#include "storage/model/table_schema.h"
#include "storage/stream/stream_log.h"
#include "storage/table/expiry_queue.h"
#include "storage/table/replication.h"

namespace magneto::storage {

// One version of an index, with the state that all its versions share.
struct Index {
  IndexSchema schema;
  IndexStorePtr store;
  std::shared_ptr<Statistics> statistics;
  // Set once the index or its table is deleted: its pending changes are then discarded.
  std::shared_ptr<std::atomic<bool>> dropped;
  // nullptr unless it follows the change log. Otherwise its entries are part of the batches that change
  // the items.
  std::shared_ptr<IndexApplier> applier;
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
  StreamPtr deliveries;  // its changes for consumers other than clients; nullptr if there are none
  ReplicationPtr replication;  // nullptr without replicas
  HistoryPtr history;          // nullptr without point-in-time recovery
  // True once a newer version is published or the table is deleted. A writer that holds a key and
  // reads false may write with this version: the thread that supersedes it waits for the writer's
  // scope.
  mutable std::atomic<bool> superseded{false};

  // nullptr if there is none.
  const Index* find_index(std::string_view name) const;
  const Index* find_numbered_index(std::uint16_t number) const;
};
using TablePtr = std::shared_ptr<const Table>;

}  // namespace magneto::storage
