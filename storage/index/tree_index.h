#pragma once

#include <cstdint>
#include <string_view>

#include "storage/index/index_store.h"

namespace magneto::storage {

// A local or global index whose entries are in the engine's trees, in the order of the index's
// keys. The position is a separate record, written in the batch that applies the changes:
//
//   record := sequence:8                   under position_key(table, index), big-endian
class TreeIndex final : public IndexStore {
 public:
  TreeIndex(Engine& engine, const TableSchema& table, const IndexSchema& index,
            PartitionMap partitions);

  EntryChange change(IndexKeyEncoder& keys, ItemView before, ItemView after) const override;
  void apply(EntryChange change, WriteBatch& batch) override;
  std::uint32_t entry_size(std::string_view key) const override;
  std::uint64_t applied_through() const override;
  void set_applied_through(std::uint64_t sequence, WriteBatch& batch) override;
  const PartitionMap& partitions() const override { return partitions_; }

 private:
  const Engine& engine_;
  const std::uint32_t table_number_;
  const IndexSchema schema_;  // the original one: key and projection never change
  const ProjectedAttributes projected_;
  const PartitionMap partitions_;
  const TreePtr positions_;  // nullptr if the engine is not durable or the index is synchronous
};

}  // namespace magneto::storage
