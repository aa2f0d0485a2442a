#include "storage/table/item_cursor.h"

#include <gtest/gtest.h>

#include "storage/encoding/keyspace.h"
#include "storage/model/item_size.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

// Keys h:1 for hashes spread over all partitions of table 5; a neighbour table must not show.
class ItemCursorTest : public EngineTest {
 protected:
  static constexpr std::uint64_t kStep = 0x0100000000000000;

  void SetUp() override {
    for (const std::uint32_t table : {4U, 5U, 6U}) {
      const PartitionMap map(*engine_, ColumnFamily::kItems, table, 0, 3);
      WriteBatch batch;
      for (std::uint64_t i = 0; i < 256; ++i) {
        batch.put(map.tree_of(key_of(table, i)), key_of(table, i), encode_item(item_));
      }
      engine_->commit(batch);
      maps_.push_back(map);
    }
  }

  static std::string key_of(std::uint32_t table, std::uint64_t i) {
    std::string key = tree_prefix(table, 0);
    append_uint64(key, i * kStep);
    return key + "k";
  }

  // The i of all keys found.
  std::vector<std::uint64_t> walk(KeyRange range, Direction direction) const {
    std::vector<std::uint64_t> found;
    ItemCursor cursor(*engine_, maps_[1], std::move(range), direction);
    while (cursor.next()) {
      EXPECT_EQ(read_uint32(cursor.key()), 5U);
      EXPECT_EQ(cursor.item().bytes(), item_.bytes());
      EXPECT_EQ(cursor.item_size(), item_size(item_));
      found.push_back(read_uint64(cursor.key().substr(kTreePrefixSize)) / kStep);
    }
    EXPECT_FALSE(cursor.next());
    return found;
  }

  void expect_run(const KeyRange& range, std::uint64_t first, std::uint64_t end) const {
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = first; i < end; ++i) expected.push_back(i);
    EXPECT_EQ(walk(range, Direction::kForward), expected);
    std::ranges::reverse(expected);
    EXPECT_EQ(walk(range, Direction::kBackward), expected);
  }

  const Item item_ = make_item({{"pk", "a"}, {"sk", 1}});
  std::vector<PartitionMap> maps_;
};
INSTANTIATE_TEST_SUITE_P(Engines, ItemCursorTest, kEngineKinds, engine_kind_name);

TEST_P(ItemCursorTest, WithoutBoundsWalksTheWholeTableOnly) {
  expect_run({}, 0, 256);
  expect_run({tree_prefix(5, 0), prefix_successor(tree_prefix(5, 0))}, 0, 256);
  expect_run({tree_prefix(5, 0), ""}, 0, 256);
}

TEST_P(ItemCursorTest, HonoursBoundsInAndAcrossPartitions) {
  expect_run({key_of(5, 10), key_of(5, 20)}, 10, 20);
  expect_run({key_of(5, 10), key_of(5, 200)}, 10, 200);
  expect_run({key_of(5, 10), ""}, 10, 256);
  expect_run({"", key_of(5, 100)}, 0, 100);
  expect_run({key_of(5, 10) + '\0', key_of(5, 20)}, 11, 20);
  expect_run({key_of(5, 80), key_of(5, 90)}, 80, 90);  // around the end of the first third
}

TEST_P(ItemCursorTest, AnEmptyOrReversedRangeHoldsNothing) {
  expect_run({key_of(5, 20), key_of(5, 20)}, 0, 0);
  expect_run({key_of(5, 200), key_of(5, 20)}, 0, 0);
}

TEST_P(ItemCursorTest, CanBeMovedInTheMiddle) {
  ItemCursor first(*engine_, maps_[1], {}, Direction::kForward);
  ASSERT_TRUE(first.next());
  ItemCursor second = std::move(first);
  std::size_t rest = 0;
  while (second.next()) ++rest;
  EXPECT_EQ(rest, 255U);
}

}  // namespace
}  // namespace magneto::storage
