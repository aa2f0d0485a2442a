#include "storage/background/table_lifecycle.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "tests/storage/database_fixture.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;

class TableLifecycleTest : public DatabaseTest {
 protected:
  ResourceStatus status() { return database().find_table("t")->schema.status; }
  ResourceStatus index_status() { return database().find_table("t")->schema.indexes.at(0).status; }
  // Nothing is due before the clock has moved by the delay, nor long after real time has.
  void expect_delayed(const std::function<bool()>& done) {
    clock_.advance(std::chrono::minutes(59));
    std::this_thread::sleep_for(milliseconds(50));
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
INSTANTIATE_TEST_SUITE_P(Engines, TableLifecycleTest, kEngineKinds, engine_kind_name);

using DurableTableLifecycleTest = TableLifecycleTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableTableLifecycleTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(TableLifecycleTest, StatusesLastAsLongAsTheDelay) {
  options_.control_plane_delay = std::chrono::hours(1);
  const TablePtr created = database().create_table(indexed_schema());
  EXPECT_EQ(created->schema.status, ResourceStatus::kCreating);
  EXPECT_EQ(created->schema.indexes[0].status, ResourceStatus::kCreating);
  EXPECT_FALSE(created->schema.indexes[0].backfilling);
  expect_delayed([&] { return status() == ResourceStatus::kActive; });
  EXPECT_EQ(index_status(), ResourceStatus::kActive);

  const TablePtr updated = database().update_table("t", [](TableSchema& schema) {
    schema.deletion_protection = true;
    schema.status = ResourceStatus::kUpdating;
    schema.indexes[0].status = ResourceStatus::kUpdating;
  });
  EXPECT_EQ(updated->schema.status, ResourceStatus::kUpdating);
  EXPECT_EQ(status(), ResourceStatus::kUpdating);
  EXPECT_EQ(index_status(), ResourceStatus::kUpdating);
  expect_delayed([&] { return status() == ResourceStatus::kActive; });
  EXPECT_EQ(index_status(), ResourceStatus::kActive);
  EXPECT_TRUE(database().find_table("t")->schema.deletion_protection);

  EXPECT_EQ(database().delete_table("t")->schema.status, ResourceStatus::kDeleting);
  EXPECT_EQ(status(), ResourceStatus::kDeleting);
  EXPECT_EQ(database().list_tables("", 10).size(), 1U);
  EXPECT_EQ(database().create_table(indexed_schema()), nullptr);
  EXPECT_EQ(database().delete_table("t")->schema.status, ResourceStatus::kDeleting);
  expect_delayed([&] { return database().find_table("t") == nullptr; });
}

TEST_P(TableLifecycleTest, IndexesComeAndGoWithTheDelay) {
  options_.control_plane_delay = std::chrono::hours(1);
  const auto backfilling = [&] {
    return database().find_table("t")->schema.indexes[0].backfilling;
  };
  const TablePtr table = database().create_table(table_schema("t"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}, {"g", "x"}}));
  put(database(), table, make_item({{"pk", "b"}, {"sk", 1}, {"g", "x"}}));
  database().update_table("t",
                          [](TableSchema& schema) { schema.indexes = indexed_schema().indexes; });
  database().settle();
  EXPECT_EQ(status(), ResourceStatus::kUpdating);
  EXPECT_FALSE(backfilling());
  // Changes of items that the index has no entries of yet.
  put(database(), table, make_item({{"pk", "a"}, {"sk", 1}, {"g", "y"}, {"more", "text"}}));
  remove(database(), table, make_item({{"pk", "b"}, {"sk", 1}}));
  expect_delayed(backfilling);
  EXPECT_EQ(status(), ResourceStatus::kActive);
  database().settle();
  EXPECT_EQ(index_status(), ResourceStatus::kCreating);
  expect_delayed([&] { return index_status() == ResourceStatus::kActive; });
  EXPECT_FALSE(backfilling());
  expect_consistent(database(), "t");

  database().update_table(
      "t", [](TableSchema& schema) { schema.indexes[0].status = ResourceStatus::kDeleting; });
  EXPECT_EQ(status(), ResourceStatus::kUpdating);
  EXPECT_EQ(index_status(), ResourceStatus::kDeleting);
  expect_delayed([&] { return database().find_table("t")->indexes.empty(); });
  EXPECT_EQ(status(), ResourceStatus::kActive);
}

TEST_P(TableLifecycleTest, WithoutADelayPassingStatusesAreOnlyReturned) {
  database().create_table(indexed_schema());
  const TablePtr updated = database().update_table(
      "t", [](TableSchema& schema) { schema.indexes[0].status = ResourceStatus::kDeleting; });
  EXPECT_EQ(updated->schema.status, ResourceStatus::kUpdating);
  ASSERT_EQ(updated->indexes.size(), 1U);
  EXPECT_EQ(updated->indexes[0]->schema.status, ResourceStatus::kDeleting);
  EXPECT_EQ(status(), ResourceStatus::kActive);
  EXPECT_TRUE(database().find_table("t")->indexes.empty());
  const TablePtr tagged = database().update_table("t", [](TableSchema& schema) {
    schema.tags = {{"k", "v"}};
  });
  EXPECT_EQ(tagged->schema.status, ResourceStatus::kActive);
  EXPECT_EQ(database().update_table("u", [](TableSchema&) {}), nullptr);
  EXPECT_THROW(
      database().update_table("t", [](TableSchema&) { throw std::invalid_argument("no"); }),
      std::invalid_argument);
}

TEST_P(DurableTableLifecycleTest, TransitionsEndWithARestart) {
  options_.control_plane_delay = std::chrono::hours(1);
  database().create_table(table_schema("created"));
  database().create_table(indexed_schema());
  database().create_table(table_schema("deleted"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  database().create_table(table_schema("late"));
  database().delete_table("deleted");
  database().update_table(
      "t", [](TableSchema& schema) { schema.indexes[0].status = ResourceStatus::kDeleting; });
  reopen();
  EXPECT_EQ(database().list_tables("", 10), (std::vector<std::string>{"created", "late", "t"}));
  EXPECT_EQ(database().find_table("late")->schema.status, ResourceStatus::kActive);
  EXPECT_EQ(status(), ResourceStatus::kActive);
  EXPECT_TRUE(database().find_table("t")->indexes.empty());
}

TEST_P(DurableTableLifecycleTest, AnAddedIndexIsFilledAfterARestart) {
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

TEST_P(TableLifecycleTest, TimeToLiveIsEnablingAndDisablingForTheDelay) {
  const auto time_to_live = [&] { return database().find_table("t")->schema.time_to_live; };
  const auto becomes = [&](TimeToLiveStatus status) {
    return [&, status] { return time_to_live().status == status; };
  };
  options_.control_plane_delay = std::chrono::hours(1);
  const TablePtr table = database().create_table(table_schema("t"));
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(eventually([&] { return status() == ResourceStatus::kActive; }));
  enable_time_to_live(database(), "t", "ttl");
  EXPECT_EQ(time_to_live().status, TimeToLiveStatus::kEnabling);
  const Item expired = make_item({{"pk", "a"}, {"sk", 1}, {"ttl", 1'700'000'000}});
  put(database(), table, expired);
  expect_delayed(becomes(TimeToLiveStatus::kEnabled));
  EXPECT_TRUE(eventually([&] { return !get(database(), table, expired); }));
  EXPECT_EQ(time_to_live().attribute, "ttl");
  disable_time_to_live(database(), "t");
  EXPECT_EQ(time_to_live().attribute, "ttl");
  put(database(), table, expired);
  expect_delayed(becomes(TimeToLiveStatus::kDisabled));
  EXPECT_TRUE(get(database(), table, expired));
  EXPECT_EQ(time_to_live().attribute, "");
}

TEST_P(DurableTableLifecycleTest, TimeToLiveIsEnabledAndDisabledAfterARestart) {
  options_.control_plane_delay = std::chrono::hours(1);
  database().create_table(table_schema("t"));
  enable_time_to_live(database(), "t", "ttl");
  reopen();
  EXPECT_EQ(database().find_table("t")->schema.time_to_live.status, TimeToLiveStatus::kEnabled);
  disable_time_to_live(database(), "t");
  reopen();
  EXPECT_EQ(database().find_table("t")->schema.time_to_live.status, TimeToLiveStatus::kDisabled);
}

TEST_P(DurableTableLifecycleTest, WhatIsDroppedIsReclaimed) {
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

TEST_P(TableLifecycleTest, DeletingATableDoesNotWaitForItsItemsToBeFreed) {
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
