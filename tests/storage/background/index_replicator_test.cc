#include "storage/background/index_replicator.h"

#include <gtest/gtest.h>

#include <thread>

#include "storage/table/item_writer.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;

TableSchema indexed_schema() {
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {number_key("sk")})};
  return schema;
}

Item item_of(const std::string& pk, const char* g) {
  return make_item({{"pk", pk}, {"sk", 1}, {"g", g}});
}

using IndexReplicatorTest = DatabaseTest;
INSTANTIATE_TEST_SUITE_P(Engines, IndexReplicatorTest, kEngineKinds, engine_kind_name);

using DurableIndexReplicatorTest = IndexReplicatorTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableIndexReplicatorTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(IndexReplicatorTest, AReadSeesEveryWriteBeforeIt) {
  const TablePtr table = database().create_table(indexed_schema());
  for (int i = 0; i < 300; ++i) {
    put(database(), table, item_of("p" + std::to_string(i), "x"));
    ASSERT_EQ(contents(database(), *table, table->indexes[0].get()).size(),
              static_cast<std::size_t>(i + 1));
  }
  expect_consistent(database(), "t");
}

TEST_P(IndexReplicatorTest, AppliesWithoutAnyReader) {
  const TablePtr table = database().create_table(indexed_schema());
  const Statistics& statistics = *table->indexes[0]->statistics;
  put(database(), table, item_of("a", "x"));
  EXPECT_TRUE(eventually([&] { return statistics.item_count == 1; }));
  std::this_thread::sleep_for(milliseconds(400));  // its thread has gone to sleep
  put(database(), table, item_of("b", "x"));
  EXPECT_TRUE(eventually([&] { return statistics.item_count == 2; }));
}

TEST_P(IndexReplicatorTest, WithADelayAnIndexLagsThatLong) {
  options_.global_index_delay = std::chrono::hours(1);
  const TablePtr table = database().create_table(indexed_schema());
  const Index* index = table->indexes[0].get();
  put(database(), table, item_of("a", "x"));
  EXPECT_TRUE(contents(database(), *table, index).empty());
  clock_.advance(std::chrono::minutes(59));
  put(database(), table, item_of("b", "x"));
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_TRUE(contents(database(), *table, index).empty());
  clock_.advance(std::chrono::minutes(2));
  EXPECT_TRUE(eventually([&] { return contents(database(), *table, index).size() == 1; }));
  clock_.advance(std::chrono::minutes(60));
  database().settle();
  EXPECT_EQ(contents(database(), *table, index).size(), 2U);
  expect_consistent(database(), "t");
}

TEST_P(DurableIndexReplicatorTest, WhatWaitsAtTheEndIsAppliedAfterARestart) {
  options_.global_index_delay = std::chrono::hours(1);
  {
    const TablePtr table = database().create_table(indexed_schema());
    put(database(), table, item_of("a", "x"));
    put(database(), table, item_of("a", "y"));
    put(database(), table, item_of("b", "x"));
    EXPECT_TRUE(contents(database(), *table, table->indexes[0].get()).empty());
  }
  options_.global_index_delay.reset();
  reopen();
  const TablePtr table = database().find_table("t");
  EXPECT_EQ(contents(database(), *table, table->indexes[0].get()).size(), 2U);
  expect_consistent(database(), "t");
}

TEST_P(IndexReplicatorTest, AWriterRelievesAFullLog) {
  const auto engine = open_engine(GetParam(), directory_);
  ChangeLog changes(*engine);
  Catalog catalog(*engine, clock_, changes, 0);
  ItemClaims claims;
  ExpiryTimer timer;
  const IndexDelay lag(std::nullopt);
  ItemWriter writer(*engine, catalog, changes, claims, timer, lag, clock_);
  IndexReplicator replicator(changes, clock_, lag, [](std::string_view) {});
  const TablePtr table = catalog.create(indexed_schema());
  const std::string large(400'000, 'x');
  std::int64_t writes = 0;
  while (!changes.over_limit()) {
    const Item item =
        make_item({{"pk", "p" + std::to_string(writes++)}, {"sk", 1}, {"g", "x"}, {"v", large}});
    writer.write({table, item_key(table->schema, item),
                  [&](const StoredItem&) { return WriteDecision::put(item); }});
  }
  EXPECT_LT(writes, 200);
  EXPECT_EQ(table->indexes[0]->statistics->item_count, 0);
  {
    const Effort of_io_thread(1'000);
    EXPECT_THROW(replicator.settle_all(), NeedsWorker) << "few writes, but much memory";
  }
  replicator.try_to_settle_all();
  EXPECT_FALSE(changes.over_limit());
  EXPECT_EQ(table->indexes[0]->statistics->item_count, writes);
}

TEST_P(IndexReplicatorTest, AFailureIsReportedAndNothingIsLost) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  std::atomic<int> warnings{0};
  options_.report_warning = [&](std::string_view) { ++warnings; };
  open_with(faults);
  const TablePtr table = database().create_table(indexed_schema());
  const Index* index = table->indexes[0].get();
  put(database(), table, item_of("a", "x"));
  put(database(), table, item_of("a", "y"));
  // The applier fails until the engine works again. Then all earlier writes are there.
  for (int i = 0; i < 100; ++i) {
    put(database(), table, item_of("p" + std::to_string(i), i % 2 == 0 ? "x" : "y"));
    if (i % 10 != 0) continue;
    const std::size_t entries = contents(database(), *table, index).size();
    put(database(), table, item_of("lagging", i % 20 == 0 ? "x" : "y"));
    faults->commits = true;
    // A reader is given what there is.
    EXPECT_GE(contents(database(), *table, index).size(), entries);
    faults->commits = false;
  }
  put(database(), table, item_of("b", "x"));
  faults->commits = true;
  EXPECT_TRUE(eventually([&] { return warnings > 0 || faults->failed > 20; }));
  faults->commits = false;
  expect_consistent(database(), "t");
  EXPECT_EQ(contents(database(), *table, index).size(), 103U);
}

}  // namespace
}  // namespace magneto::storage
