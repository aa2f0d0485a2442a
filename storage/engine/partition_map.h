#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/engine.h"

namespace magneto::storage {

// The partitions of one table or index: equal, contiguous, ascending ranges of the partition hash,
// each in its own tree. A hash belongs to partition (hash >> 32) * size / 2^32.
class PartitionMap {
 public:
  PartitionMap() = default;
  // From existing trees, in ascending order.
  explicit PartitionMap(std::vector<TreePtr> trees) : trees_(std::move(trees)) {}
  // `partition_count` is at least 1.
  PartitionMap(Engine& engine, ColumnFamily family, std::uint32_t table_number,
               std::uint16_t index_number, std::uint32_t partition_count);

  std::size_t size() const { return trees_.size(); }
  const TreePtr& tree(std::size_t partition) const { return trees_[partition]; }
  // The partition of a key, by the hash in it. A truncated bound counts as followed by zeros.
  std::size_t partition_of(std::string_view key) const;
  const TreePtr& tree_of(std::string_view key) const { return trees_[partition_of(key)]; }
  const std::vector<TreePtr>& trees() const { return trees_; }

 private:
  std::vector<TreePtr> trees_;
};

}  // namespace magneto::storage
