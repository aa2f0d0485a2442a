#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "storage/engine/engine.h"

namespace magneto::storage {

// The partitions of one table or index: equal, contiguous ranges of the partition hash, ascending,
// each kept in its own tree.
class PartitionMap {
 public:
  PartitionMap() = default;
  PartitionMap(Engine& engine, Family family, std::uint32_t table_number, std::uint16_t index_number,
               std::uint32_t partition_count);

  std::size_t size() const { return trees_.size(); }
  const TreePtr& tree(std::size_t partition) const { return trees_[partition]; }
  // The partition of a whole key, by the hash in it.
  std::size_t partition_of(std::string_view key) const;
  const TreePtr& tree_of(std::string_view key) const { return trees_[partition_of(key)]; }

 private:
  std::vector<TreePtr> trees_;
};

}  // namespace magneto::storage
