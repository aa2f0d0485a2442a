#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "storage/encoding/key_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/table/memory_budget.h"
#include "storage/table/region_claims.h"
#include "tests/storage/background/global_tables_fixture.h"

namespace magneto::storage {
namespace {

// A table that is strongly consistent over its regions.
class StrongTablesTest : public GlobalTablesTest {
 protected:
  void ask_for_strong(const std::vector<const char*>& regions, const char* witness = nullptr) {
    std::vector<Replica> replicas;
    for (const char* region : regions) {
      replicas.push_back({.region = region,
                          .database = in(region).number(),
                          .queue_number = 0,
                          .status = ReplicaStatus::kCreating,
                          .settings = {}});
    }
    in(kEast).update_table("t", [&](TableSchema& schema) {
      GlobalTable global;
      global.is_strong = true;
      if (witness != nullptr) global.witness = Witness{witness};
      set_global(schema, global);
      for (const Replica& replica : replicas) add_replica(schema, replica);
    });
  }
  void create_strong() {
    create(kEast);
    ask_for_strong({kWest, kEurope});
    database().settle();
    for (const char* region : {kEast, kWest, kEurope}) {
      ASSERT_NE(table_in(region), nullptr) << region;
      EXPECT_EQ(table_in(region)->schema.status, ResourceStatus::kActive);
      EXPECT_EQ(table_in(region)->replication, nullptr);
      for (const Replica& replica : table_in(region)->schema.global_table->replicas) {
        EXPECT_EQ(replica.status, ReplicaStatus::kActive);
      }
    }
  }
  void expect_everywhere(int i, const std::string& text) {
    for (const char* region : {kEast, kWest, kEurope}) EXPECT_EQ(read(region, i), text) << region;
  }
  ItemWrite write_of(std::string_view region, int i, Decide decide) {
    const TablePtr table = table_in(region);
    return {.table = table, .key = item_key(table->schema, key(i)), .decide = decide};
  }
  // Adds one to an item's count. Tries again if another region changes it.
  void count_up(std::string_view region, int i) {
    const auto decide = [i](const StoredItem& current) {
      const AttributeView counted = current ? current.view().find("l") : AttributeView();
      const int value = counted ? std::stoi(counted.number().to_string()) : 0;
      return WriteDecision::put(item(i, value + 1));
    };
    while (true) {
      try {
        in(region).write(write_of(region, i, decide));
        return;
      } catch (const ReplicatedWriteConflict&) {
        std::this_thread::yield();
      }
    }
  }
  void dissolve() {
    in(kEast).update_table("t", [](TableSchema& schema) {
      GlobalTable global = copy_of_global(schema);
      for (Replica& replica : global.replicas) replica.status = ReplicaStatus::kDeleting;
      if (global.witness) global.witness->status = ReplicaStatus::kDeleting;
      set_global(schema, std::move(global));
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, StrongTablesTest, kEngineKinds, engine_kind_name);

TEST_P(StrongTablesTest, AWriteIsInEveryRegionOnceItIsAnswered) {
  create_strong();
  write(kEast, 1, 10);
  const std::string first = read(kEast, 1);
  ASSERT_FALSE(first.empty());
  expect_everywhere(1, first);
  write(kWest, 1, 11);
  EXPECT_NE(read(kWest, 1), first);
  expect_everywhere(1, read(kWest, 1));
  erase(kEurope, 1);
  expect_everywhere(1, "");
  for (int i = 0; i < 50; ++i) write(i % 2 == 0 ? kEast : kEurope, i, i);
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 50U);
}

TEST_P(StrongTablesTest, AConditionSeesWhatAnotherRegionWrote) {
  create_strong();
  write(kWest, 1, 10);
  const auto only_new = [](const StoredItem& current) {
    return current ? WriteDecision::reject() : WriteDecision::put(item(1, 20));
  };
  const WriteOutcome refused = in(kEast).write(write_of(kEast, 1, only_new));
  EXPECT_TRUE(refused.rejected);
  EXPECT_TRUE(refused.old_item);
  expect_everywhere(1, read(kWest, 1));
  erase(kEurope, 1);
  EXPECT_FALSE(in(kEast).write(write_of(kEast, 1, only_new)).rejected);
  expect_everywhere(1, read(kEast, 1));
}

TEST_P(StrongTablesTest, OfWritesTogetherAllAreMadeEverywhereOrNone) {
  create_strong();
  write(kEurope, 2, 1);
  const auto put_one = [](const StoredItem& /*current*/) { return WriteDecision::put(item(1, 1)); };
  const auto reject_there = [](const StoredItem& current) {
    return current ? WriteDecision::reject() : WriteDecision::put(item(2, 2));
  };
  const std::vector<ItemWrite> writes = {write_of(kWest, 1, put_one),
                                         write_of(kWest, 2, reject_there)};
  EXPECT_TRUE(in(kWest).write_all(writes).back().rejected);
  expect_everywhere(1, "");
  erase(kEast, 2);
  const std::vector<WriteOutcome> outcomes = in(kWest).write_all(writes);
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(outcomes.front().table->schema.region, kWest);
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 2U);
}

TEST_P(StrongTablesTest, RegionsThatWriteOneItemAtATimeLoseNothing) {
  create_strong();
  std::vector<std::thread> threads;
  for (const char* region : {kEast, kWest, kEurope, kEast}) {
    threads.emplace_back([this, region] {
      for (int i = 0; i < 100; ++i) count_up(region, i % 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto counted = [&](int i) {
    const StoredItem found = get(in(kWest), table_in(kWest), key(i));
    return std::stoi(found.view().find("l").number().to_string());
  };
  EXPECT_EQ(counted(0) + counted(1) + counted(2), 400);
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 3U);
}

// AWS API reference, ReplicatedWriteConflictException.
TEST_P(StrongTablesTest, AWriteThatMeetsOneOfAnotherRegionIsRefused) {
  create_strong();
  write(kEast, 1, 1);
  std::promise<void> decides;
  std::promise<void> may_go_on;
  std::atomic<bool> is_first{true};
  const auto decide = [&](const StoredItem& /*current*/) {
    if (is_first.exchange(false)) {
      decides.set_value();
      may_go_on.get_future().wait();
    }
    return WriteDecision::put(item(1, 2));
  };
  const ItemWrite slow = write_of(kEast, 1, decide);
  std::thread writer([&] { in(kEast).write(slow); });
  decides.get_future().wait();
  EXPECT_THROW(write(kWest, 1, 3), ReplicatedWriteConflict);
  EXPECT_NE(read(kWest, 1), "");
  may_go_on.set_value();
  writer.join();
  write(kWest, 1, 3);
  expect_everywhere(1, read(kWest, 1));
}

TEST_P(StrongTablesTest, WhatIsThereAndWrittenWhileItIsMadeIsEverywhere) {
  create(kEast);
  for (int i = 0; i < 300; ++i) write(kEast, i, i);
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    for (int i = 0; !ends; i = (i + 7) % 400) {
      if (i % 3 == 0) {
        erase(kEast, i);
      } else {
        write(kEast, i, i + 1);
      }
    }
  });
  ask_for_strong({kWest, kEurope});
  const auto is_made = [&](const char* region) {
    const TablePtr table = table_in(region);
    return table != nullptr && table->schema.status == ResourceStatus::kActive;
  };
  EXPECT_TRUE(eventually([&] { return is_made(kWest) && is_made(kEurope); }));
  ends = true;
  writer.join();
  EXPECT_FALSE(settled({kEast, kWest, kEurope}).empty());
}

TEST_P(StrongTablesTest, WhatFailsInOneRegionIsNowhere) {
  const auto failing = std::make_shared<std::atomic<std::uint32_t>>(0);  // the number of a table
  auto faults = std::make_shared<FaultyEngine::Faults>();
  faults->fails = [failing](const WriteBatch& batch) {
    const std::uint32_t number = *failing;
    const auto is_of_it = [number](const WriteBatch::Operation& operation) {
      return operation.key.starts_with(tree_prefix(number, 0));
    };
    return number != 0 && std::ranges::any_of(batch.operations(), is_of_it);
  };
  open_with(faults);
  create_strong();
  write(kEast, 1, 1);
  const std::string before = read(kEast, 1);
  *failing = table_in(kEurope)->schema.number;
  EXPECT_THROW(write(kEast, 1, 2), EngineError);
  *failing = 0;
  expect_everywhere(1, before);
  database().room().set(1);
  EXPECT_THROW(write(kWest, 2, 2), MemoryFull);
  database().room().set(MemoryBudget::kPlenty);
  expect_everywhere(2, "");
  write(kWest, 1, 3);  // nothing is held any more
  expect_everywhere(1, read(kWest, 1));
}

TEST_P(StrongTablesTest, WhatFindsNoRoomFailsAndCanBeDissolved) {
  create(kEast);
  for (int i = 0; i < 200; ++i) write(kEast, i, i);
  database().room().set(1000);
  ask_for_strong({kWest}, "us-east-2");
  EXPECT_TRUE(eventually([&] {
    return table_in(kEast)->schema.global_table->find(kWest)->status ==
           ReplicaStatus::kCreationFailed;
  }));
  EXPECT_EQ(table_in(kEast)->schema.global_table->witness->status, ReplicaStatus::kActive);
  database().room().set(MemoryBudget::kPlenty);
  write(kEast, 1000, 1);
  dissolve();
  EXPECT_TRUE(eventually([&] { return table_in(kEast)->schema.global_table == nullptr; }));
  EXPECT_EQ(all(kEast).size(), 201U);
}

TEST_P(StrongTablesTest, ItemsAreWrittenInTurnBesideAnotherRegion) {
  create_strong();
  write(kEast, 1, 1);
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    while (!ends) count_up(kWest, 1);
  });
  const auto leave = [](const StoredItem& /*current*/) { return WriteDecision::keep(); };
  const std::vector<ItemWrite> writes = {write_of(kEast, 1, leave)};
  for (int i = 0; i < 50; ++i) in(kEast).write_all_in_turn(writes);
  ends = true;
  writer.join();
  expect_everywhere(1, read(kEast, 1));
}

TEST_P(StrongTablesTest, DissolvedItIsAPlainTableAgain) {
  create(kEast);
  ask_for_strong({kWest}, "us-east-2");
  database().settle();
  EXPECT_EQ(table_in(kEast)->schema.global_table->witness->status, ReplicaStatus::kActive);
  EXPECT_EQ(table_in(kWest)->schema.global_table->witness->status, ReplicaStatus::kActive);
  for (int i = 0; i < 20; ++i) write(kWest, i, i);
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    for (int i = 0; !ends; i = (i + 1) % 40) write(kEast, i, i);
  });
  dissolve();
  EXPECT_TRUE(eventually([&] { return table_in(kWest) == nullptr; }));
  EXPECT_TRUE(eventually([&] { return table_in(kEast)->schema.global_table == nullptr; }));
  ends = true;
  writer.join();
  EXPECT_GE(all(kEast).size(), 20U);
  replicate(kEast, kWest);  // of the other kind
  EXPECT_EQ(settled({kEast, kWest}), all(kEast));
}

TEST_P(StrongTablesTest, IsOneAfterARestart) {
  if (!is_durable()) return;
  create(kEast);
  for (int i = 0; i < 300; ++i) write(kEast, i, i);
  ask_for_strong({kWest, kEurope});
  reopen();  // however far it has come
  database().settle();
  EXPECT_EQ(settled({kEast, kWest, kEurope}).size(), 300U);
  write(kEurope, 1000, 1);
  reopen();
  expect_everywhere(1000, read(kEurope, 1000));
  write(kWest, 1000, 2);
  expect_everywhere(1000, read(kWest, 1000));
  dissolve();
  reopen();
  EXPECT_TRUE(eventually([&] { return table_in(kEast)->schema.global_table == nullptr; }));
  EXPECT_EQ(table_in(kWest), nullptr);
  EXPECT_EQ(all(kEast).size(), 301U);
}

}  // namespace
}  // namespace magneto::storage
