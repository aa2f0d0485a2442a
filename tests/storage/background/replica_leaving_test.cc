#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "storage/encoding/keyspace.h"
#include "storage/model/auto_scaling.h"
#include "storage/model/global_table.h"
#include "storage/table/memory_budget.h"
#include "tests/storage/background/global_tables_fixture.h"

namespace magneto::storage {
namespace {

// The changes of a leaving replica that the others keep, and its own settings.
class ReplicaLeavingTest : public GlobalTablesTest {
 protected:
  // With changes of the west that wait.
  void create_two(int items, int waiting) {
    create(kEast);
    for (int i = 0; i < items; ++i) write(kEast, i, i);
    replicate(kEast, kWest);
    databases().hold_replication();
    for (int i = 0; i < waiting; ++i) write(kWest, 100'000 + i, i);
  }
  bool is_active(std::string_view region) {
    const TablePtr table = table_in(region);
    return table != nullptr && table->schema.status == ResourceStatus::kActive;
  }
  void expect_moved_to_europe(std::size_t items) {
    EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr && is_active(kEurope); }));
    databases().set_replication_delay(std::nullopt);
    EXPECT_EQ(settled({kEast, kEurope}).size(), items);
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, ReplicaLeavingTest, kEngineKinds, engine_kind_name);

TEST_P(ReplicaLeavingTest, ANewReplicaGetsWhatADeletedOneLeaves) {
  create_two(50, 1500);
  in(kWest).delete_table("t");
  ask_for_replica(kEast, kEurope);
  expect_moved_to_europe(1550);
}

TEST_P(ReplicaLeavingTest, AReplicaThatIsMovedTakesAllAlong) {
  create_two(50, 1500);
  const std::uint32_t number = in(kEurope).number();
  in(kEast).update_table("t", [&](TableSchema& schema) {
    set_replica_status(schema, kWest, ReplicaStatus::kDeleting);
    add_replica(schema, {.region = kEurope,
                         .database = number,
                         .queue_number = 0,
                         .status = ReplicaStatus::kCreating,
                         .settings = {}});
  });
  expect_moved_to_europe(1550);
}

TEST_P(ReplicaLeavingTest, AFillBeginsAnewWhenOneGoesMeanwhile) {
  create_two(3000, 600);
  ask_for_replica(kEast, kEurope);
  EXPECT_TRUE(eventually([&] { return table_in(kEurope) != nullptr; }));
  in(kWest).delete_table("t");
  expect_moved_to_europe(3600);
}

TEST_P(ReplicaLeavingTest, ATableStaysUntilWhatFailedIsSent) {
  auto faults = std::make_shared<FaultyEngine::Faults>();
  std::atomic<bool> is_broken{false};
  std::atomic<std::uint32_t> east{0};
  faults->fails = [&](const WriteBatch& batch) {
    return is_broken &&
           std::ranges::any_of(batch.operations(), [&](const WriteBatch::Operation& operation) {
             return operation.tree->family() == ColumnFamily::kItems &&
                    operation.key.starts_with(tree_prefix(east, 0));
           });
  };
  open_with(faults);
  create_two(0, 100);
  east = table_in(kEast)->schema.number;
  is_broken = true;
  in(kWest).delete_table("t");
  EXPECT_TRUE(eventually([&] { return faults->failed > 1; }));
  EXPECT_NE(table_in(kWest), nullptr);
  is_broken = false;
  EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr; }));
  EXPECT_EQ(settled({kEast}).size(), 100U);
  database_.reset();  // before what it fails by
}

TEST_P(ReplicaLeavingTest, AFullMemoryKeepsNoTableThatGoes) {
  create_two(0, 200);
  database().room().set(0);
  EXPECT_THROW(write(kWest, 1, 1), MemoryFull);
  in(kWest).delete_table("t");
  EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr; }));
  EXPECT_EQ(settled({kEast}).size(), 200U);
}

TEST_P(ReplicaLeavingTest, ASettingIsSharedBeforeItsTableGoes) {
  create(kEast);
  for (int units = 100; units < 110; ++units) {
    replicate(kEast, kWest);
    in(kWest).update_table("t",
                           [&](TableSchema& schema) { schema.provisioned.write_units = units; });
    in(kWest).delete_table("t");
    EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr; }));
    database().settle();
    ASSERT_EQ(table_in(kEast)->schema.provisioned.write_units, units);
  }
}

TEST_P(ReplicaLeavingTest, WhatARegionIsGivenInItIsItsOwn) {
  create(kEast);
  replicate(kEast, kWest);
  in(kEast).update_table("t", [&](TableSchema& schema) {
    schema.provisioned.read_units = 10;
    schema.provisioned.write_units = 10;
    GlobalTable global = copy_of_global(schema);
    global.find(kWest)->settings.read_units = 77;
    global.find(kWest)->settings.indexes = {{"global", 7, {}}};
    set_global(schema, std::move(global));
  });
  database().settle();
  in(kWest).update_table("t", [](TableSchema& schema) {
    schema.provisioned.read_units = 88;
    schema.indexes[1].provisioned.read_units = 8;
  });
  database().settle();
  const ReplicaSettings& known = table_in(kEast)->schema.global_table->find(kWest)->settings;
  EXPECT_EQ(known.read_units, 88);
  ASSERT_EQ(known.indexes.size(), 1U);
  EXPECT_EQ(known.indexes.front().read_units, 8);
  in(kEast).update_table("t", [](TableSchema& schema) { schema.provisioned.write_units = 20; });
  database().settle();
  EXPECT_EQ(table_in(kWest)->schema.provisioned.write_units, 20);
  EXPECT_EQ(table_in(kWest)->schema.provisioned.read_units, 88);
  EXPECT_EQ(table_in(kWest)->schema.indexes[1].provisioned.read_units, 8);
  EXPECT_EQ(table_in(kEast)->schema.provisioned.read_units, 10);
}

TEST_P(ReplicaLeavingTest, ScalingGoesWithItsIndex) {
  create(kEast);
  replicate(kEast, kWest);
  for (const char* region : {kEast, kWest}) {
    in(region).update_table("t", [](TableSchema& schema) {
      GlobalTable global = copy_of_global(schema);
      AutoScaling scaling;
      scaling.maximum_units = 9;
      for (const char* index : {"", "global"}) {
        global.scaling.push_back({index, std::nullopt, scaling});
      }
      set_global(schema, std::move(global));
    });
  }
  in(kWest).update_table(
      "t", [](TableSchema& schema) { schema.indexes[1].status = ResourceStatus::kDeleting; });
  database().settle();
  in(kEast).update_table("t", [](TableSchema& schema) {
    schema.indexes.push_back(index_schema("global", IndexKind::kGlobal, {string_key("g")}, {}));
  });
  database().settle();
  for (const char* region : {kEast, kWest}) {
    const TableSchema& schema = table_in(region)->schema;
    EXPECT_NE(schema.find_index("global"), nullptr) << region;
    EXPECT_EQ(find_scaling(schema.global_table->scaling, "global"), nullptr) << region;
    EXPECT_NE(find_scaling(schema.global_table->scaling, ""), nullptr) << region;
  }
}

// As a process leaves it that ends between the records of two members.
TEST_P(ReplicaLeavingTest, AMemberThatGaveAReplicaUpSendsToItOnceItIsMadeAgain) {
  create(kEast);
  replicate(kEast, kWest);
  const std::uint32_t number = in(kEurope).number();
  in(kWest).update_table("t", [&](TableSchema& schema) {
    add_replica(schema, {.region = kEurope,
                         .database = number,
                         .queue_number = 0,
                         .status = ReplicaStatus::kCreating,
                         .settings = {}});
    fail_replica(schema, kEurope);
  });
  database().settle();
  replicate(kEast, kEurope);
  const Replica* known = table_in(kWest)->schema.global_table->find(kEurope);
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->status, ReplicaStatus::kActive);
  EXPECT_NE(known->queue_number, 0);
  write(kWest, 1, 1);
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 1U);
}

}  // namespace
}  // namespace magneto::storage
