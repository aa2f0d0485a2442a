#include "storage/index/index_store.h"

#include <utility>

#include "storage/index/tree_index.h"

namespace magneto::storage {

IndexStorePtr open_index_store(Engine& engine, const TableSchema& table, const IndexSchema& index,
                               std::uint32_t partitions) {
  return open_index_store(
      engine, table, index,
      PartitionMap(engine, ColumnFamily::kIndexes, table.number, index.number, partitions));
}

IndexStorePtr open_index_store(Engine& engine, const TableSchema& table, const IndexSchema& index,
                               PartitionMap partitions) {
  switch (index.kind) {
    case IndexKind::kLocal:
    case IndexKind::kGlobal:
    case IndexKind::kVector:
      break;
  }
  return std::make_shared<TreeIndex>(engine, table, index, std::move(partitions));
}

}  // namespace magneto::storage
