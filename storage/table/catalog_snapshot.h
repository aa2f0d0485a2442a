#pragma once

#include <cstdint>
#include <vector>

#include "storage/index/index_applier.h"
#include "storage/stream/stream_catalog.h"
#include "storage/table/table.h"

namespace magneto::storage {

// The statistics of a table or index.
struct CountsSnapshot {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  std::int64_t vector_bytes = 0;
  std::uint64_t sized_for = 0;
};

// A table at one moment, with its indexes in their order: `changes` are those that an asynchronous
// one is still to make.
struct TableSnapshot {
  struct IndexSnapshot {
    CountsSnapshot numbers;
    std::vector<PendingChange> changes;
  };
  TablePtr table;
  CountsSnapshot numbers;
  TableHistory::Origin history;  // where the table has one
  std::vector<IndexSnapshot> indexes;
};

// All tables and streams of a store at one moment, of which a snapshot of its engine has the
// contents. Holds their trees.
struct CatalogSnapshot {
  std::vector<TableSnapshot> tables;
  StreamsSnapshot streams;
  std::uint32_t last_table_number = 0;
};

}  // namespace magneto::storage
