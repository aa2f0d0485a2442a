#include "storage/background/replica_making.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/model/global_table.h"
#include "storage/table/memory_budget.h"
#include "storage/table/write_refused.h"
#include "tests/storage/background/global_tables_fixture.h"

namespace magneto::storage {
namespace {

// Replicas that come and go while other things are done.
using ReplicaMakingTest = GlobalTablesTest;
INSTANTIATE_TEST_SUITE_P(Engines, ReplicaMakingTest, kEngineKinds, engine_kind_name);

// The replica is requested again, with or without new room.
TEST_P(ReplicaMakingTest, AReplicaThatFindsNoRoomFailsAndMayBeRemoved) {
  create(kEast);
  for (int i = 0; i < 200; ++i) write(kEast, i, i);
  database().room().set(1000);
  ask_for_replica(kEast, kWest);
  const auto status = [&] {
    const auto global = table_in(kEast)->schema.global_table;
    return global == nullptr || global->find(kWest) == nullptr ? ReplicaStatus::kActive
                                                               : global->find(kWest)->status;
  };
  EXPECT_TRUE(eventually([&] { return status() == ReplicaStatus::kCreationFailed; }));
  database().settle();
  EXPECT_EQ(table_in(kWest), nullptr);
  EXPECT_TRUE(table_in(kEast)->replication->queues.empty());
  database().room().set(MemoryBudget::kPlenty);
  write(kEast, 1000, 1);
  remove_replica_of(kEast, kWest);
  EXPECT_TRUE(eventually([&] { return table_in(kEast)->schema.global_table == nullptr; }));
  replicate(kEast, kWest);
  EXPECT_EQ(settled({kEast, kWest}).size(), 201U);
}

TEST_P(ReplicaMakingTest, AReplicaMayBeAskedForAtTheMomentInWhichOneIsGone) {
  create(kEast);
  write(kEast, 1, 1);
  for (int i = 0; i < 20; ++i) {
    replicate(kEast, kWest);
    remove_replica_of(kEast, kWest);
    while (table_in(kEast)->schema.global_table != nullptr) std::this_thread::yield();
  }
}

TEST_P(ReplicaMakingTest, AReplicaWhoseDiskFailsFailsAndTheTableCanBeDeleted) {
  auto faults = std::make_shared<FaultyEngine::Faults>();
  open_with(faults);
  create(kEast);
  for (int i = 0; i < 200; ++i) write(kEast, i, i);
  const std::uint32_t first = table_in(kEast)->schema.number;
  faults->fails = [first](const WriteBatch& batch) {
    return std::ranges::any_of(batch.operations(), [&](const WriteBatch::Operation& operation) {
      return operation.tree->family() == ColumnFamily::kItems && !operation.is_delete &&
             !operation.key.starts_with(tree_prefix(first, 0));
    });
  };
  replicate_in_vain(kEast, kWest);
  EXPECT_EQ(table_in(kWest), nullptr);
  in(kEast).delete_table("t");
  database().settle();
  EXPECT_EQ(table_in(kEast), nullptr);
}

TEST_P(ReplicaMakingTest, WhatIsCheckedOfADeletionHoldsWhenItIsMade) {
  create(kEast);
  EXPECT_THROW(in(kEast).delete_table("t", [](const TableSchema&) { throw TableGone(); }),
               TableGone);
  EXPECT_NE(table_in(kEast), nullptr);
  replicate(kEast, kWest);
  EXPECT_THROW(in(kEast).delete_table("t", [](const TableSchema&) { throw TableGone(); }),
               TableGone);
  EXPECT_EQ(table_in(kEast)->schema.status, ResourceStatus::kActive);
}

// At any stage of its creation, and with a deletion that does not check.
TEST_P(ReplicaMakingTest, AReplicaGoesWithTheTableItIsMadeOf) {
  for (int round = 0; round < 12; ++round) {
    create(kEast);
    for (int i = 0; i < 300; ++i) write(kEast, i, i);
    ask_for_replica(kEast, kWest);
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(500 * round);
    while (std::chrono::steady_clock::now() < end) {
    }
    const bool was_made =
        table_in(kEast)->schema.global_table->replicas.front().status == ReplicaStatus::kActive;
    in(kEast).delete_table("t");
    database().settle();
    EXPECT_EQ(table_in(kEast), nullptr);
    if (was_made || table_in(kWest) != nullptr) {
      // The replica was complete before, so it stays.
      ASSERT_NE(table_in(kWest), nullptr);
      EXPECT_EQ(all(kWest).size(), 300U);
      in(kWest).delete_table("t");
      database().settle();
    }
    ASSERT_EQ(table_in(kWest), nullptr);
  }
}

TEST_P(ReplicaMakingTest, IndexesThatAreAddedInSeveralRegionsAreInAll) {
  create_three();
  clock_.freeze();
  const auto add_index = [&](const char* region, const std::string& name) {
    while (true) {
      try {
        in(region).update_table("t", [&](TableSchema& schema) {
          schema.indexes.push_back(index_schema(name, IndexKind::kGlobal, {number_key("l")}, {}));
        });
        return;
      } catch (const SettingsBehind&) {
        std::this_thread::yield();
      }
    }
  };
  for (int round = 0; round < 4; ++round) {
    std::vector<std::thread> threads;
    for (const char* region : {kEast, kWest, kEurope}) {
      threads.emplace_back([&, region] { add_index(region, region + std::to_string(round)); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  database().settle();
  for (const char* region : {kEast, kWest, kEurope}) {
    EXPECT_EQ(table_in(region)->schema.indexes.size(), 2U + 12U) << region;
  }
}

TEST_P(ReplicaMakingTest, NothingThatWasAcknowledgedGoesWithAReplica) {
  create(kEast);
  for (int round = 0; round < 5; ++round) {
    replicate(kEast, kWest);
    std::atomic<int> written{0};
    const TablePtr table = table_in(kWest);
    Database& west = in(kWest);
    std::thread writer([&] {
      try {
        for (;;) {
          put(west, table, item(round * 1'000'000 + written, 1));
          ++written;
        }
      } catch (const TableGone&) {
      }
    });
    while (written < 50) std::this_thread::yield();
    remove_replica_of(kEast, kWest);
    writer.join();
    EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr; }));
    database().settle();
    for (int i = 0; i < written; ++i) {
      ASSERT_NE(read(kEast, round * 1'000'000 + i), "") << i << " of " << written;
    }
  }
}

TEST_P(ReplicaMakingTest, ALongFillLeavesOthersTheirTurns) {
  create(kEast);
  for (int i = 0; i < 20'000; ++i) write(kEast, i, i);
  TableSchema small = table_schema("u");
  small.region = kEast;
  small.stream = {true, "NEW_AND_OLD_IMAGES", ""};
  in(kEast).create_table(std::move(small));
  const std::uint32_t number = in(kWest).number();
  for (const char* name : {"t", "u"}) {
    in(kEast).update_table(name, [&](TableSchema& schema) {
      add_replica(schema, {.region = kWest,
                           .database = number,
                           .queue_number = 0,
                           .status = ReplicaStatus::kCreating,
                           .settings = {}});
    });
  }
  const auto status_of = [&](const char* name) {
    return in(kEast).find_table(name)->schema.global_table->replicas.front().status;
  };
  bool was_first = false;
  EXPECT_TRUE(eventually([&] {
    was_first = was_first || (status_of("u") == ReplicaStatus::kActive &&
                              status_of("t") == ReplicaStatus::kCreating);
    return status_of("t") == ReplicaStatus::kActive;
  }));
  EXPECT_TRUE(was_first);
  EXPECT_EQ(settled({kEast, kWest}).size(), 20'000U);
}

TEST_P(ReplicaMakingTest, WhatARegionHasOfItsOwnIsNotPassedOn) {
  TableSchema made = table_schema("t");
  made.region = kEast;
  made.stream = {true, "NEW_AND_OLD_IMAGES", ""};
  made.provisioned.read_units = 10;
  made.provisioned.write_units = 10;
  in(kEast).create_table(std::move(made));
  replicate(kEast, kWest);
  replicate(kEast, kEurope);
  in(kEast).update_table("t", [&](TableSchema& schema) {
    GlobalTable global = copy_of_global(schema);
    global.find(kWest)->settings.read_units = 77;
    set_global(schema, std::move(global));
  });
  database().settle();
  EXPECT_EQ(table_in(kWest)->schema.provisioned.read_units, 77);
  EXPECT_EQ(table_in(kWest)->schema.global_table->own.read_units, 77);
  EXPECT_EQ(table_in(kEurope)->schema.global_table->find(kWest)->settings.read_units, 77);
  in(kWest).update_table("t", [](TableSchema& schema) { schema.provisioned.write_units = 20; });
  database().settle();
  for (const char* region : {kEast, kEurope}) {
    EXPECT_EQ(table_in(region)->schema.provisioned.write_units, 20) << region;
    EXPECT_EQ(table_in(region)->schema.provisioned.read_units, 10) << region;
  }
}

}  // namespace
}  // namespace magneto::storage
