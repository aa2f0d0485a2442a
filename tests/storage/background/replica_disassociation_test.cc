#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string_view>

#include "storage/model/global_table.h"
#include "tests/storage/background/global_tables_fixture.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

// A replica that becomes a separate table.
class ReplicaDisassociationTest : public GlobalTablesTest {
 protected:
  void disassociate(std::string_view region) {
    in(region).update_table("t", [](TableSchema& schema) {
      GlobalTable global = copy_of_global(schema);
      global.is_leaving = true;
      set_global(schema, std::move(global));
    });
  }
  bool is_regional(std::string_view region) {
    const TablePtr table = table_in(region);
    return table != nullptr && table->schema.status == ResourceStatus::kActive &&
           table->schema.global_table == nullptr;
  }
  bool knows(std::string_view region, std::string_view other) {
    const TablePtr table = table_in(region);
    return table->schema.global_table != nullptr &&
           table->schema.global_table->find(other) != nullptr;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, ReplicaDisassociationTest, kEngineKinds, engine_kind_name);

TEST_P(ReplicaDisassociationTest, AllHaveWhatWasWrittenBeforeAndNothingOfLater) {
  create_three();
  databases().hold_replication();
  for (int i = 0; i < 1500; ++i) write(kWest, i, i);
  for (int i = 0; i < 700; ++i) write(kEast, 10'000 + i, i);
  write(kEurope, 20'000, 1);
  erase(kEast, 10'000);
  disassociate(kWest);
  EXPECT_TRUE(eventually(
      [&] { return is_regional(kWest) && !knows(kEast, kWest) && !knows(kEurope, kWest); }));
  EXPECT_EQ(all(kWest).size(), 1500U + 699 + 1);
  expect_consistent(in(kWest), "t");
  write(kWest, 30'000, 1);
  write(kEast, 30'001, 1);
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kEurope}).size(), 1500U + 699 + 1 + 1);
  EXPECT_EQ(read(kEast, 30'000), "");
  EXPECT_EQ(read(kWest, 30'001), "");
}

TEST_P(ReplicaDisassociationTest, TheLastButOneLeavesATableOfItsOwn) {
  create(kEast);
  replicate(kEast, kWest);
  write(kEast, 1, 1);
  disassociate(kEast);
  EXPECT_TRUE(eventually([&] { return is_regional(kEast) && is_regional(kWest); }));
  EXPECT_EQ(all(kEast), all(kWest));
  write(kEast, 2, 2);
  database().settle();
  EXPECT_EQ(read(kWest, 2), "");
}

using DurableReplicaDisassociationTest = ReplicaDisassociationTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableReplicaDisassociationTest,
                         testing::Values(EngineKind::kRocksdb), engine_kind_name);

TEST_P(DurableReplicaDisassociationTest, GoesOnAfterARestart) {
  create_three();
  databases().hold_replication();
  for (int i = 0; i < 2000; ++i) write(kEast, i, i);
  disassociate(kWest);
  reopen();
  EXPECT_TRUE(eventually([&] { return is_regional(kWest) && !knows(kEast, kWest); }));
  EXPECT_EQ(all(kWest).size(), 2000U);
}

TEST_P(ReplicaDisassociationTest, IsKeptWhereAnotherRegionRemovesItMeanwhile) {
  create_three();
  databases().hold_replication();
  for (int i = 0; i < 2000; ++i) write(kEast, i, i);
  disassociate(kWest);
  remove_replica_of(kEast, kWest);
  EXPECT_TRUE(eventually([&] { return is_regional(kWest) && !knows(kEast, kWest); }));
  EXPECT_EQ(all(kWest).size(), 2000U);
}

TEST_P(ReplicaDisassociationTest, IsDeletedWhereItIsAskedFor) {
  create_three();
  write(kWest, 1, 1);
  databases().hold_replication();
  for (int i = 0; i < 2000; ++i) write(kWest, 10 + i, i);
  disassociate(kWest);
  in(kWest).delete_table("t");
  EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr && !knows(kEast, kWest); }));
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kEurope}).size(), 2001U);
}

TEST_P(ReplicaDisassociationTest, ANewReplicaGetsWhatItLeaves) {
  create(kEast);
  replicate(kEast, kWest);
  databases().hold_replication();
  for (int i = 0; i < 1500; ++i) write(kWest, i, i);
  disassociate(kWest);
  ask_for_replica(kEast, kEurope);
  EXPECT_TRUE(eventually([&] {
    const TablePtr table = table_in(kEurope);
    return is_regional(kWest) && table != nullptr &&
           table->schema.status == ResourceStatus::kActive;
  }));
  databases().set_replication_delay(std::nullopt);
  EXPECT_EQ(settled({kEast, kEurope}).size(), 1500U);
  EXPECT_FALSE(knows(kEurope, kWest));
}

TEST_P(ReplicaDisassociationTest, WhatExpiresGoesInBoth) {
  create_three();
  enable_time_to_live(in(kEast), "t", "ttl");
  database().settle();
  const std::int64_t now =
      std::chrono::floor<std::chrono::seconds>(clock_.now()).time_since_epoch().count();
  put(in(kWest), table_in(kWest), make_item({{"pk", "p1"}, {"sk", 1}, {"ttl", now + 100}}));
  database().settle();
  disassociate(kEurope);  // which deleted for all
  EXPECT_TRUE(eventually([&] { return is_regional(kEurope) && !knows(kEast, kEurope); }));
  EXPECT_EQ(all(kEurope).size(), 1U);
  clock_.advance(std::chrono::seconds(200));
  database().settle();
  EXPECT_TRUE(eventually([&] { return all(kEurope).empty() && all(kEast).empty(); }));
  EXPECT_TRUE(settled({kEast, kWest}).empty());
}

}  // namespace
}  // namespace magneto::storage
