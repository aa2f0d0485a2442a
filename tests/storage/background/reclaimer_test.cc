#include "storage/background/reclaimer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "tests/storage/database_fixture.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

class ReclaimerTest : public DatabaseTest {
 protected:
  static TableSchema indexed_schema() {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
    return schema;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, ReclaimerTest, kEngineKinds, engine_kind_name);

using DurableReclaimerTest = ReclaimerTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableReclaimerTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(DurableReclaimerTest, WhatIsDroppedIsReclaimed) {
  const auto entries = [&](ColumnFamily family) {
    std::size_t count = 0;
    const auto engine = open_engine(GetParam(), directory_);
    const auto cursor = engine->scan(*engine->open_tree(family, ""), {}, {}, Direction::kForward);
    while (cursor->next()) ++count;
    return count;
  };
  TablePtr table = database().create_table(indexed_schema());
  database().create_table(table_schema("other"));
  for (int i = 0; i < 100; ++i) {
    put(database(), table, make_item({{"pk", "a"}, {"sk", i}, {"g", "x"}, {"ttl", 9'999'999'999}}));
    put(database(), database().find_table("other"), make_item({{"pk", "a"}, {"sk", i}}));
  }
  enable_time_to_live(database(), "t", "ttl");
  database().settle();
  database_.reset();
  EXPECT_EQ(entries(ColumnFamily::kExpiry), 100U);
  disable_time_to_live(database(), "t");
  database().settle();
  database_.reset();
  EXPECT_EQ(entries(ColumnFamily::kExpiry), 0U);
  enable_time_to_live(database(), "t", "ttl");
  database().settle();
  database_.reset();
  EXPECT_EQ(entries(ColumnFamily::kExpiry), 100U);
  EXPECT_EQ(entries(ColumnFamily::kItems), 200U);
  EXPECT_EQ(entries(ColumnFamily::kIndexes), 100U);
  database().update_table(
      "t", [](TableSchema& schema) { schema.indexes[0].status = ResourceStatus::kDeleting; });
  database().settle();
  database_.reset();
  EXPECT_EQ(entries(ColumnFamily::kItems), 200U);
  EXPECT_EQ(entries(ColumnFamily::kIndexes), 0U);
  database().delete_table("t");  // and end before it is reclaimed, or after
  database_.reset();
  database().settle();
  database_.reset();
  EXPECT_EQ(entries(ColumnFamily::kItems), 100U);
  EXPECT_EQ(entries(ColumnFamily::kExpiry), 0U);
  // Left are the table's schema, its statistics, the counter and the mark of a clean end.
  EXPECT_EQ(entries(ColumnFamily::kSystem), 4U);
  EXPECT_EQ(entries(ColumnFamily::kQueue), 0U);
}

TEST_P(ReclaimerTest, DeletingATableDoesNotWaitForItsItemsToBeFreed) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  std::promise<void> may_clear;
  const auto gate = may_clear.get_future().share();
  std::atomic<int> cleared{0};
  faults->before_clear = [&] {
    gate.wait();
    ++cleared;
  };
  open_with(faults);
  const TablePtr old = database().create_table(indexed_schema());
  put(database(), old, make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}}));
  EXPECT_NE(database().delete_table("t"), nullptr);
  const TablePtr table = database().create_table(indexed_schema());
  EXPECT_TRUE(contents(database(), *table, nullptr).empty());
  EXPECT_TRUE(contents(database(), *table, table->indexes[0].get()).empty());
  EXPECT_EQ(cleared, 0);
  may_clear.set_value();
  database().settle();
  EXPECT_EQ(cleared, 8);  // four partitions each of table and index
}

}  // namespace
}  // namespace magneto::storage
