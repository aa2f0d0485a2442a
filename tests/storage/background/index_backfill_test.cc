#include "storage/background/index_backfill.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class IndexBackfillTest : public DatabaseTest {
 protected:
  static constexpr int kItems = 2000;

  static Item item_of(int i, int version) {
    std::vector<Field> fields{{"pk", "p" + std::to_string(i)}, {"sk", i}, {"v", version}};
    if ((i + version) % 3 != 0) fields.push_back({"g", "g" + std::to_string((i + version) % 7)});
    return make_item(fields);
  }
  static void add_index(TableSchema& schema) {
    schema.indexes.push_back(index_schema("g" + std::to_string(schema.next_index_number),
                                          IndexKind::kGlobal, {string_key("g")},
                                          {number_key("v")}));
  }
  TablePtr filled_table() {
    TablePtr table = database().create_table(table_schema("t"));
    for (int i = 0; i < kItems; ++i) put(database(), table, item_of(i, 0));
    return table;
  }
  bool is_active(std::size_t index) {
    const TablePtr table = database().find_table("t");
    const IndexSchema& schema = table->schema.indexes.at(index);
    return schema.status == ResourceStatus::kActive && !schema.backfilling;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, IndexBackfillTest, kEngineKinds, engine_kind_name);

using DurableIndexBackfillTest = IndexBackfillTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableIndexBackfillTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(IndexBackfillTest, FillsANewIndexFromTheItems) {
  filled_table();
  const TablePtr updated = database().update_table("t", add_index);
  EXPECT_EQ(updated->schema.status, ResourceStatus::kUpdating);
  EXPECT_EQ(updated->schema.indexes[0].status, ResourceStatus::kCreating);
  EXPECT_FALSE(updated->schema.indexes[0].backfilling);
  EXPECT_EQ(updated->indexes.size(), 1U);
  EXPECT_EQ(database().find_table("t")->schema.status, ResourceStatus::kActive);
  EXPECT_TRUE(eventually([&] { return is_active(0); }));
  expect_consistent(database(), "t");
  EXPECT_GT(database().find_table("t")->indexes[0]->statistics->item_count, kItems / 2);
}

TEST_P(IndexBackfillTest, FillsWhileWritesGoOn) {
  const TablePtr table = filled_table();
  std::vector<std::jthread> writers;
  std::atomic<int> writes{0};
  for (unsigned seed = 0; seed < 3; ++seed) {
    writers.emplace_back([&, seed](const std::stop_token& stop) {
      std::mt19937 random(seed);
      TablePtr pinned = table;
      while (!stop.stop_requested()) {
        const int i = static_cast<int>(random() % kItems);
        const int version = static_cast<int>(random() % 100);
        if (version == 0) {
          remove(database(), pinned, item_of(i, 0));
        } else {
          put(database(), pinned, item_of(i, version));
        }
        if (++writes % 50 == 0) pinned = database().find_table("t");
      }
    });
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const int before = writes;
    EXPECT_TRUE(eventually([&] { return writes > before + 50; }));
    database().update_table("t", add_index);
    EXPECT_TRUE(eventually([&] { return is_active(i); }));
  }
  writers.clear();
  expect_consistent(database(), "t");
}

TEST_P(IndexBackfillTest, StopsWhenTheIndexOrTableIsDropped) {
  filled_table();
  for (int i = 0; i < 3; ++i) {
    database().update_table("t", add_index);
    database().update_table(
        "t", [](TableSchema& schema) { schema.indexes.back().status = ResourceStatus::kDeleting; });
  }
  database().settle();
  EXPECT_TRUE(database().find_table("t")->indexes.empty());
  database().update_table("t", add_index);
  database().delete_table("t");
  database().settle();
  EXPECT_EQ(database().table_count(), 0U);
}

TEST_P(IndexBackfillTest, WithALaggingIndexItIsDoneWhenItsEntriesAreThere) {
  options_.global_index_delay = std::chrono::milliseconds(20);
  filled_table();
  database().update_table("t", add_index);
  EXPECT_TRUE(eventually([&] { return is_active(0); }));
  expect_consistent(database(), "t");
}

// Items with keys that an index cannot have, of all kinds, among those that it can.
TEST_P(IndexBackfillTest, LeavesOutItemsThatCannotStandInTheIndex) {
  const TablePtr table = database().create_table(table_schema("t"));
  const std::vector<std::size_t> sizes{1, 1'024, 1'025, 2'048, 2'049, 65'500, 65'536, 390'000};
  const auto with_key = [](std::size_t size, int i) {
    return make_item({{"pk", "p"}, {"sk", i}, {"g", std::string(size, 'g')}, {"v", i}});
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    put(database(), table, with_key(sizes[i], static_cast<int>(i)));
  }
  put(database(), table, with_key(0, 100));
  put(database(), table, make_item({{"pk", "p"}, {"sk", 101}, {"g", 1}, {"v", 1}}));
  put(database(), table, make_item({{"pk", "p"}, {"sk", 102}, {"g", "g"}, {"v", "1"}}));
  put(database(), table, make_item({{"pk", "p"}, {"sk", 103}, {"v", 1}}));
  const auto expect_entries = [&](std::size_t index, int count) {
    EXPECT_TRUE(eventually([&] { return is_active(index); }));
    expect_consistent(database(), "t");
    EXPECT_EQ(database().find_table("t")->indexes[index]->statistics->item_count, count);
  };
  database().update_table("t", add_index);
  expect_entries(0, 4);
  database().update_table("t", [](TableSchema& schema) {
    schema.indexes.push_back(
        index_schema("sorted", IndexKind::kGlobal, {number_key("v")}, {string_key("g")}));
  });
  expect_entries(1, 2);

  // Entries come and go as the value does.
  put(database(), table, with_key(2'048, 100));
  put(database(), table, with_key(2'049, 0));
  expect_entries(0, 4);
  expect_entries(1, 1);
  for (int i = 0; i <= 103; ++i) remove(database(), table, make_item({{"pk", "p"}, {"sk", i}}));
  expect_entries(0, 0);
  expect_entries(1, 0);
}

TEST_P(DurableIndexBackfillTest, LeavesThemOutAfterARestartInTheMiddle) {
  const TablePtr table = database().create_table(table_schema("t"));
  for (int i = 0; i < kItems; ++i) {
    const std::string key = i % 2 == 0 ? "g" + std::to_string(i) : std::string(3'000, 'g');
    put(database(), table,
        make_item({{"pk", "p" + std::to_string(i)}, {"sk", i}, {"g", key}, {"v", i}}));
  }
  database().update_table("t", add_index);
  reopen();  // at once: little of it is done
  EXPECT_TRUE(eventually([&] { return is_active(0); }));
  expect_consistent(database(), "t");
  EXPECT_EQ(database().find_table("t")->indexes[0]->statistics->item_count, kItems / 2);
  reopen();
  expect_consistent(database(), "t");
}

TEST_P(DurableIndexBackfillTest, BeginsAgainAfterARestart) {
  filled_table();
  database().update_table("t", add_index);
  reopen();  // at once: little of it is done
  EXPECT_TRUE(eventually([&] { return is_active(0); }));
  expect_consistent(database(), "t");
  reopen();
  EXPECT_TRUE(is_active(0));
  expect_consistent(database(), "t");
}

TEST_P(IndexBackfillTest, IsTriedAgainAfterAFailure) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  std::atomic<int> warnings{0};
  options_.report_warning = [&](std::string_view) { ++warnings; };
  open_with(faults);
  const TablePtr table = filled_table();
  database().settle();
  faults->reads = true;
  database().update_table("t", add_index);
  EXPECT_TRUE(eventually([&] { return warnings > 0; }));
  faults->reads = false;
  EXPECT_TRUE(eventually([&] { return is_active(0); }));
  expect_consistent(database(), "t");
}

TEST_P(IndexBackfillTest, WaitsUntilThereIsRoomForTheEntries) {
  std::atomic<int> warnings{0};
  options_.report_warning = [&](std::string_view) { ++warnings; };
  open();
  filled_table();
  database().room().set(0);
  database().update_table("t", add_index);
  EXPECT_TRUE(eventually([&] { return warnings > 0; }));
  EXPECT_FALSE(is_active(0));
  database().room().set(MemoryBudget::kPlenty);
  EXPECT_TRUE(eventually([&] { return is_active(0); }));
  expect_consistent(database(), "t");
}

}  // namespace
}  // namespace magneto::storage
