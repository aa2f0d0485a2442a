#include "storage/background/global_tables.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "storage/model/global_table.h"
#include "tests/storage/background/global_tables_fixture.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

INSTANTIATE_TEST_SUITE_P(Engines, GlobalTablesTest, kEngineKinds, engine_kind_name);

using DurableGlobalTablesTest = GlobalTablesTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableGlobalTablesTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(GlobalTablesTest, AReplicaHasWhatTheTableHasAndEachTheWritesOfTheOther) {
  create(kEast);
  for (int i = 0; i < 200; ++i) write(kEast, i, i);
  replicate(kEast, kWest);
  EXPECT_EQ(settled({kEast, kWest}).size(), 200U);
  const TableSchema& schema = table_in(kWest)->schema;
  EXPECT_EQ(schema.region, kWest);
  EXPECT_EQ(schema.stream.view_type, "NEW_AND_OLD_IMAGES");
  EXPECT_TRUE(schema.stream.enabled);
  ASSERT_EQ(schema.global_table->replicas.size(), 1U);
  EXPECT_EQ(schema.global_table->replicas.front().region, kEast);
  EXPECT_EQ(table_in(kEast)->schema.global_table->replicas.front().status, ReplicaStatus::kActive);

  write(kWest, 1000, 1);
  write(kEast, 1001, 2);
  erase(kWest, 5);
  erase(kEast, 6);
  write(kWest, 7, 70);
  const auto items = settled({kEast, kWest});
  EXPECT_EQ(items.size(), 200U);
  EXPECT_EQ(read(kEast, 7), read(kWest, 7));
  EXPECT_EQ(read(kEast, 5), "");
  EXPECT_EQ(read(kWest, 6), "");
}

TEST_P(GlobalTablesTest, TheLastWriterWinsWhateverTheOrderOfArrival) {
  create_three();
  databases().hold_replication();
  write(kEast, 1, 1);
  clock_.advance(milliseconds(1));
  write(kWest, 1, 2);
  clock_.advance(milliseconds(1));
  write(kEurope, 2, 3);
  clock_.advance(milliseconds(1));
  erase(kEast, 1);  // which has not seen the others
  clock_.advance(milliseconds(1));
  write(kEast, 2, 4);
  EXPECT_NE(read(kWest, 1), "");
  databases().set_replication_delay(std::nullopt);
  const auto items = settled({kEast, kWest, kEurope});
  EXPECT_EQ(read(kWest, 1), "");
  EXPECT_EQ(items.size(), 1U);
  EXPECT_EQ(read(kEurope, 2), describe_item(item(2, 4).view()));
}

TEST_P(GlobalTablesTest, AWriteThatChangesNothingHereIsTheLastOneAllTheSame) {
  create(kEast);
  replicate(kEast, kWest);
  write(kEast, 1, 1);
  settled({kEast, kWest});
  databases().hold_replication();
  write(kWest, 1, 2);
  write(kWest, 2, 5);
  clock_.advance(milliseconds(1));
  write(kEast, 1, 1);
  erase(kEast, 2);
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kWest}).size(), 1U);
  EXPECT_EQ(read(kWest, 1), describe_item(item(1, 1).view()));
  EXPECT_EQ(read(kWest, 2), "");
}

TEST_P(GlobalTablesTest, NothingArrivesBeforeItsDelay) {
  create(kEast);
  replicate(kEast, kWest);
  clock_.freeze();
  databases().set_replication_delay(seconds(2));
  write(kEast, 1, 1);
  clock_.advance(milliseconds(1999));
  database().settle();
  EXPECT_EQ(read(kWest, 1), "");
  clock_.advance(milliseconds(1));
  EXPECT_TRUE(eventually([&] { return !read(kWest, 1).empty(); }));
}

TEST_P(GlobalTablesTest, AReplicaThatIsRemovedGoesAndTheOthersGoOn) {
  create_three();
  databases().hold_replication();
  write(kWest, 1, 1);  // is sent before it goes
  remove_replica_of(kEast, kWest);
  EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr; }));
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kEurope}).size(), 1U);
  EXPECT_EQ(table_in(kEurope)->schema.global_table->replicas.size(), 1U);
  write(kEurope, 2, 2);
  EXPECT_EQ(settled({kEast, kEurope}).size(), 2U);

  in(kEurope).delete_table("t");
  database().settle();
  EXPECT_EQ(table_in(kEast)->schema.global_table, nullptr);
  EXPECT_EQ(table_in(kEast)->replication, nullptr);
  write(kEast, 3, 3);
  EXPECT_EQ(settled({kEast}).size(), 3U);
  // And again, with items that have been written without replicas.
  replicate(kEast, kWest);
  EXPECT_EQ(settled({kEast, kWest}).size(), 3U);
}

TEST_P(GlobalTablesTest, ANewReplicaDoesNotGetBackWhatWasDeletedBeforeItWasKnown) {
  create(kEast);
  replicate(kEast, kWest);
  databases().hold_replication();
  write(kWest, 1, 1);
  clock_.advance(seconds(1));
  write(kEast, 1, 2);
  erase(kEast, 1);
  write(kWest, 2, 2);  // which the first one has not seen
  ask_for_replica(kEast, kEurope);
  EXPECT_TRUE(eventually([&] {
    return table_in(kEurope) != nullptr &&
           table_in(kEurope)->schema.status == ResourceStatus::kActive;
  }));
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 1U);
}

TEST_P(GlobalTablesTest, ChangesOfSettingsAreMadeEverywhere) {
  create_three();
  enable_time_to_live(in(kWest), "t", "ttl");
  database().settle();
  for (const char* region : {kEast, kWest, kEurope}) {
    EXPECT_EQ(table_in(region)->schema.time_to_live.status, TimeToLiveStatus::kEnabled) << region;
    EXPECT_EQ(table_in(region)->schema.time_to_live.attribute, "ttl");
  }
  write(kEast, 1, 1);
  in(kEurope).update_table("t", [](TableSchema& schema) {
    schema.indexes.push_back(index_schema("added", IndexKind::kGlobal, {number_key("l")}, {}));
    schema.indexes[1].status = ResourceStatus::kDeleting;
    schema.deletion_protection = true;
  });
  database().settle();
  for (const char* region : {kEast, kWest, kEurope}) {
    const TableSchema& schema = table_in(region)->schema;
    EXPECT_NE(schema.find_index("added"), nullptr) << region;
    EXPECT_EQ(schema.find_index("global"), nullptr) << region;
    EXPECT_EQ(schema.deletion_protection, region == std::string_view(kEurope)) << region;
  }
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 1U);
}

TEST_P(GlobalTablesTest, WhatExpiresIsDeletedInOneRegionAndSentToTheOthers) {
  create_three();
  enable_time_to_live(in(kEast), "t", "ttl");
  database().settle();
  const std::int64_t now = std::chrono::floor<seconds>(clock_.now()).time_since_epoch().count();
  put(in(kWest), table_in(kWest), make_item({{"pk", "p1"}, {"sk", 1}, {"ttl", now + 100}}));
  put(in(kEast), table_in(kEast), make_item({{"pk", "p2"}, {"sk", 2}, {"ttl", now + 1000}}));
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 2U);
  clock_.advance(seconds(200));
  database().settle();
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 1U);
  int by_service = 0;
  for (const char* region : {kEast, kWest, kEurope}) {
    const StreamPtr stream = table_in(region)->stream;
    const StreamSchema schema = stream->schema();
    for (const StreamShard& shard : schema.shards) {
      std::optional<StreamCursor> cursor;
      ASSERT_EQ(stream->read(shard.number, 0, cursor), StreamLog::Access::kGiven);
      while (cursor->next()) by_service += cursor->record().by_time_to_live ? 1 : 0;
    }
  }
  EXPECT_EQ(by_service, 1);
  // The one that deletes is gone: another one does.
  in(kEurope).delete_table("t");
  database().settle();
  clock_.advance(seconds(1000));
  database().settle();
  EXPECT_TRUE(settled({kEast, kWest}).empty());
}

// Random writes in three regions under a clock that is turned, with delays and holds between.
TEST_P(GlobalTablesTest, AllRegionsComeToTheSame) {
  create_three();
  const std::vector<const char*> regions = {kEast, kWest, kEurope};
  std::mt19937 random(7);  // NOLINT: the same each time
  for (int round = 0; round < 12; ++round) {
    if (round % 3 == 0) databases().hold_replication();
    if (round % 3 == 1) databases().set_replication_delay(seconds(2));
    if (round % 3 == 2) databases().set_replication_delay(std::nullopt);
    for (int i = 0; i < 60; ++i) {
      const char* const region = regions[random() % 3];
      const int number = static_cast<int>(random() % 8);
      if (random() % 4 == 0) {
        erase(region, number);
      } else {
        write(region, number, static_cast<int>(random() % 100));
      }
      if (random() % 5 == 0) clock_.advance(milliseconds(static_cast<int>(random() % 3000) - 1500));
    }
  }
  databases().set_replication_delay(std::nullopt);
  settled(regions);
}

// Each write is answered before the next begins, with any time of the clock and any order of
// regions.
TEST_P(GlobalTablesTest, TheLaterOfTwoWritesWinsWhereTheClockIsTurnedBack) {
  create_three();
  clock_.advance(std::chrono::hours(1));
  for (int i = 0; i < 100; ++i) write(kEast, i, 0);
  database().settle();
  clock_.reset();
  const char* const regions[] = {kEast, kEurope, kWest};
  for (int i = 0; i < 90; ++i) {
    write(regions[i % 3], i, 1);
    write(regions[(i + 1 + i / 3 % 2) % 3], i, 2);
  }
  const auto items = settled({kEast, kWest, kEurope});
  EXPECT_EQ(items.size(), 100U);
  for (int i = 0; i < 90; ++i) EXPECT_EQ(read(kWest, i), describe_item(item(i, 2).view())) << i;
}

// The clock was ahead before the restart, and the last writes wait to be sent.
TEST_P(DurableGlobalTablesTest, TheLaterOfTwoWritesWinsOverARestart) {
  create_three();
  clock_.advance(std::chrono::hours(1));
  for (int i = 0; i < 100; ++i) write(kEast, i, 0);
  database().settle();
  databases().hold_replication();
  for (int i = 0; i < 90; ++i) write(i % 2 == 0 ? kEast : kWest, i, 1);
  erase(kEast, 90);
  database_.reset();
  clock_.reset();
  open();
  databases().hold_replication();
  for (int i = 0; i < 90; ++i) write(i % 2 == 0 ? kWest : kEast, i, 2);
  write(kEurope, 90, 2);
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 100U);
  for (int i = 0; i < 91; ++i) EXPECT_EQ(read(kEurope, i), describe_item(item(i, 2).view())) << i;
}

TEST_P(GlobalTablesTest, AForkGoesOnByItself) {
  create(kEast);
  replicate(kEast, kWest);
  databases().hold_replication();
  write(kEast, 1, 1);
  const auto fork = Databases::fork(databases().snapshot(), options_, clock_);
  Database& east = *fork->find(kEast);
  Database& west = *fork->find(kWest);
  put(east, east.find_table("t"), item(2, 2));
  west.settle();
  EXPECT_EQ(contents(west, *west.find_table("t"), nullptr).size(), 2U);
  EXPECT_TRUE(all(kWest).empty());
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kWest}).size(), 1U);
}

TEST_P(DurableGlobalTablesTest, ADeletionGoesOnAfterARestartWithNothingLost) {
  create(kEast);
  replicate(kEast, kWest);
  databases().hold_replication();
  for (int i = 0; i < 2000; ++i) write(kWest, i, i);
  remove_replica_of(kEast, kWest);
  reopen();
  EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr; }));
  EXPECT_EQ(settled({kEast}).size(), 2000U);
}

TEST_P(DurableGlobalTablesTest, WhatWaitsIsSentAfterARestartAndNothingTwice) {
  create_three();
  databases().hold_replication();
  for (int i = 0; i < 100; ++i) write(kEast, i, i);
  write(kWest, 3, 33);
  reopen();
  const auto items = settled({kEast, kWest, kEurope});
  EXPECT_EQ(items.size(), 100U);
  EXPECT_EQ(read(kEast, 3), describe_item(item(3, 33).view()));
}

// A put in another region, which keeps the item from expiring, was acknowledged before the process
// ended: it counts, however long the process was down.
TEST_P(DurableGlobalTablesTest, WhatWaitsIsSentAfterARestartBeforeAnythingExpires) {
  create_three();
  enable_time_to_live(in(kEast), "t", "ttl");
  database().settle();
  const std::int64_t now = std::chrono::floor<seconds>(clock_.now()).time_since_epoch().count();
  const auto write_expiring = [&](std::string_view region, int i, std::int64_t expiry) {
    put(in(region), table_in(region), make_item({{"pk", "p"}, {"sk", i}, {"ttl", expiry}}));
  };
  for (int i = 0; i < 1000; ++i) write_expiring(kEast, i, now + 100);
  database().settle();
  databases().hold_replication();
  for (int i = 0; i < 900; ++i) write_expiring(kWest, i, now + 1000);
  database_.reset();
  clock_.advance(seconds(200));
  open();
  EXPECT_TRUE(eventually([&] { return all(kEast).size() == 900 && all(kEurope).size() == 900; }));
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 900U);
  clock_.advance(seconds(2000));
  database().settle();
  EXPECT_TRUE(settled({kEast, kWest, kEurope}).empty());
}

// Nothing waits for changes that are held back.
TEST_P(DurableGlobalTablesTest, ItemsExpireAfterARestartWhileReplicationIsDelayed) {
  create(kEast);
  replicate(kEast, kWest);
  enable_time_to_live(in(kEast), "t", "ttl");
  database().settle();
  const std::int64_t now = std::chrono::floor<seconds>(clock_.now()).time_since_epoch().count();
  put(in(kEast), table_in(kEast), make_item({{"pk", "p"}, {"sk", 1}, {"ttl", now + 100}}));
  database().settle();
  databases().hold_replication();
  write(kWest, 2, 2);
  database_.reset();
  clock_.advance(seconds(200));
  options_.replication_delay = std::chrono::hours(1);
  open();
  EXPECT_TRUE(eventually([&] { return all(kEast).empty(); }));
  EXPECT_EQ(all(kWest).size(), 2U);
}

// Wherever in the work the process ends.
TEST_P(DurableGlobalTablesTest, AReplicaThatWasAskedForIsMadeAfterARestart) {
  create(kEast);
  for (int i = 0; i < 500; ++i) write(kEast, i, i);
  for (const char* region : {kWest, kEurope}) {
    ask_for_replica(kEast, region);
    reopen();
    EXPECT_TRUE(eventually([&] {
      const TablePtr table = table_in(region);
      return table != nullptr && table->schema.status == ResourceStatus::kActive;
    }));
  }
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 500U);
  for (const char* region : {kEast, kWest, kEurope}) {
    EXPECT_EQ(table_in(region)->schema.global_table->replicas.size(), 2U) << region;
  }
}

}  // namespace
}  // namespace magneto::storage
