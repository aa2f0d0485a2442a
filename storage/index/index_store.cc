#include "storage/index/index_store.h"

#include <utility>

#include "storage/index/tree_index.h"
#include "storage/index/vector_index.h"

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
      break;
    case IndexKind::kVector:
      return std::make_shared<VectorIndex>(engine, table, index, std::move(partitions));
  }
  return std::make_shared<TreeIndex>(engine, table, index, std::move(partitions));
}

}  // namespace magneto::storage
