#include "storage/index/index_store.h"

#include "storage/index/tree_index.h"

namespace magneto::storage {

IndexStorePtr open_index_store(Engine& engine, const TableSchema& table, const IndexSchema& index,
                               std::uint32_t partitions) {
  switch (index.kind) {
    case IndexKind::kLocal:
    case IndexKind::kGlobal:
      break;
  }
  return std::make_shared<TreeIndex>(engine, table, index, partitions);
}

}  // namespace magneto::storage
