#include "storage/background/index_builds.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class IndexBuildsTest : public DatabaseTest {
 protected:
  ResourceStatus status() { return database().find_table("t")->schema.status; }
  ResourceStatus index_status() { return database().find_table("t")->schema.indexes.at(0).status; }
  // Nothing may be done before the clock has moved by the delay, but soon after that.
  void expect_delayed(const std::function<bool()>& done) {
    clock_.advance(std::chrono::minutes(59));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(done());
    clock_.advance(std::chrono::minutes(2));
    EXPECT_TRUE(eventually(done));
  }
  static TableSchema indexed_schema() {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {})};
    return schema;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, IndexBuildsTest, kEngineKinds, engine_kind_name);

using DurableIndexBuildsTest = IndexBuildsTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableIndexBuildsTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(DurableIndexBuildsTest, AnAddedIndexIsFilledAfterARestart) {
  options_.control_plane_delay = std::chrono::hours(1);
  const TablePtr table = database().create_table(table_schema("t"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}}));
  database().update_table("t",
                          [](TableSchema& schema) { schema.indexes = indexed_schema().indexes; });
  reopen();
  EXPECT_EQ(status(), ResourceStatus::kActive);
  EXPECT_EQ(index_status(), ResourceStatus::kCreating);
  EXPECT_TRUE(database().find_table("t")->schema.indexes[0].backfilling);
  expect_delayed([&] { return index_status() == ResourceStatus::kActive; });
  expect_consistent(database(), "t");
}

TEST_P(IndexBuildsTest, AnIndexOfATableMadeWithItIsNotFilled) {
  const TablePtr table = database().create_table(indexed_schema());
  EXPECT_EQ(index_status(), ResourceStatus::kActive);
  EXPECT_FALSE(table->schema.indexes[0].backfilling);
}

TEST_P(IndexBuildsTest, ASecondChangeDoesNotFillAnIndexTwice) {
  options_.control_plane_delay = std::chrono::hours(1);
  const TablePtr table = database().create_table(table_schema("t"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}}));
  database().update_table("t",
                          [](TableSchema& schema) { schema.indexes = indexed_schema().indexes; });
  expect_delayed([&] { return database().find_table("t")->schema.indexes[0].backfilling; });
  clock_.advance(std::chrono::minutes(30));
  database().update_table("t", [](TableSchema& schema) { schema.tags = {{"k", "v"}}; });
  clock_.advance(std::chrono::minutes(31));  // an hour since the first change, not the second
  EXPECT_TRUE(eventually([&] { return index_status() == ResourceStatus::kActive; }));
  database().settle();
  expect_consistent(database(), "t");
}

}  // namespace
}  // namespace magneto::storage
