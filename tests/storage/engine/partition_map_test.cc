#include "storage/engine/partition_map.h"

#include <gtest/gtest.h>

#include "storage/encoding/keyspace.h"
#include "storage/engine/memory/memory_engine.h"

namespace magneto::storage {
namespace {

std::string key_of(std::uint64_t hash) {
  std::string key = tree_prefix(5, 0);
  append_uint64(key, hash);
  return key + "a";
}

TEST(PartitionMapTest, CutsTheHashesIntoEqualRanges) {
  const auto engine = make_memory_engine();
  const PartitionMap four(*engine, ColumnFamily::kItems, 5, 0, 4);
  ASSERT_EQ(four.size(), 4U);
  EXPECT_EQ(four.partition_of(key_of(0)), 0U);
  EXPECT_EQ(four.partition_of(key_of(0x3fffffffffffffff)), 0U);
  EXPECT_EQ(four.partition_of(key_of(0x4000000000000000)), 1U);
  EXPECT_EQ(four.partition_of(key_of(0x8000000000000000)), 2U);
  EXPECT_EQ(four.partition_of(key_of(0xffffffffffffffff)), 3U);
  EXPECT_EQ(four.tree_of(key_of(~0ULL)), four.tree(3));
  EXPECT_NE(four.tree(0), four.tree(1));
}

TEST(PartitionMapTest, ACutBoundCountsAsFollowedByZeros) {
  const auto engine = make_memory_engine();
  const PartitionMap four(*engine, ColumnFamily::kItems, 5, 0, 4);
  EXPECT_EQ(four.partition_of(tree_prefix(5, 0)), 0U);
  EXPECT_EQ(four.partition_of(tree_prefix(5, 0) + '\x40'), 1U);
  EXPECT_EQ(four.partition_of(tree_prefix(5, 0) + "\xff\x01"), 3U);
}

// In RocksDB a partition's tree has bounds. A key must be within those of its partition.
TEST(PartitionMapTest, TreesHoldTheirKeysForEveryCount) {
  for (const std::uint32_t count : {1U, 2U, 3U, 7U, 10U, 64U}) {
    const auto engine = make_memory_engine();
    const PartitionMap map(*engine, ColumnFamily::kItems, 5, 0, count);
    std::size_t last = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::size_t partition = map.partition_of(key_of((~0ULL / 999) * i));
      EXPECT_GE(partition, last);
      EXPECT_LT(partition, count);
      last = partition;
    }
    EXPECT_EQ(last, count - 1);
  }
}

}  // namespace
}  // namespace magneto::storage
