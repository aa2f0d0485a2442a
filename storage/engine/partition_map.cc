#include "storage/engine/partition_map.h"

#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

// The first key of a partition: the tree prefix and the smallest hash in the partition.
std::string lower_bound(const std::string& prefix, std::uint64_t partition, std::uint64_t count) {
  std::string key = prefix;
  append_uint32(key, narrow<std::uint32_t>(((partition << 32) + count - 1) / count));
  append_uint32(key, 0);
  return key;
}

}  // namespace

PartitionMap::PartitionMap(Engine& engine, ColumnFamily family, std::uint32_t table_number,
                           std::uint16_t index_number, std::uint32_t partition_count) {
  const std::string prefix = tree_prefix(table_number, index_number);
  trees_.reserve(partition_count);
  for (std::uint32_t i = 0; i < partition_count; ++i) {
    std::string lower = i == 0 ? std::string() : lower_bound(prefix, i, partition_count);
    std::string upper =
        i + 1 == partition_count ? std::string() : lower_bound(prefix, i + 1, partition_count);
    trees_.push_back(engine.open_tree(family, prefix, std::move(lower), std::move(upper)));
  }
}

std::size_t PartitionMap::partition_of(std::string_view key) const {
  if (trees_.size() == 1) return 0;
  return static_cast<std::size_t>((leading_hash(key) * std::uint64_t{trees_.size()}) >> 32);
}

}  // namespace magneto::storage
