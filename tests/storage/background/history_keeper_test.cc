// How much histories take, on both engines.
#include "storage/background/history_keeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/schema_encoding.h"
#include "storage/table/memory_budget.h"
#include "tests/storage/backup/backup_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr std::int64_t kLimit = 64 << 10;

class HistoryKeeperTest : public BackupTest {
 protected:
  HistoryKeeperTest() {
    options_.history_limit = kLimit;
    clock_.freeze();
  }
  TablePtr make(std::string_view name) {
    database().create_table(plain_schema(name));
    database().update_table(name, [](TableSchema& schema) {
      schema.point_in_time_recovery.enabled = true;
      schema.point_in_time_recovery.recovery_days = 35;
    });
    return database().find_table(name);
  }
  // Each write replaces an item of about a kilobyte. Waits regularly for the keeper of the bound.
  void write(const TablePtr& table, int count) {
    for (int i = 0; i < count; ++i) {
      put(database(), table,
          make_item(
              {{"pk", "k"}, {"sk", i % 10}, {"n", ++written_}, {"s", std::string(1'000, 's')}}));
      clock_.advance(seconds(1));
      if (i % 4 == 3) database().settle();
    }
  }
  RecoveryWindow window(const TablePtr& table) {
    return database().recovery_window(*table).value();
  }
  std::int64_t bytes(const TablePtr& table) {
    std::int64_t bytes = 0;
    for (const HistorySegment& segment : table->history->state().segments) bytes += segment.bytes;
    return bytes;
  }

  int written_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Engines, HistoryKeeperTest, kEngineKinds, engine_kind_name);

TEST_P(HistoryKeeperTest, TheWindowShrinksAndWritesGoOn) {
  const TablePtr table = make("t");
  const Clock::TimePoint begun = clock_.now();
  write(table, 30);
  database().settle();
  EXPECT_EQ(window(table).earliest, begun);
  EXPECT_FALSE(has_warning("point-in-time recovery"));
  Clock::TimePoint earliest = begun;
  for (int round = 0; round < 5; ++round) {
    write(table, 100);
    database().settle();
    EXPECT_LE(bytes(table), kLimit);
    EXPECT_GT(bytes(table), kLimit / 2);
    EXPECT_GT(window(table).earliest, earliest);
    earliest = window(table).earliest;
  }
  EXPECT_TRUE(has_warning(
      "point-in-time recovery has used its memory (--pitr-max-mb): from now on, table t"));
  EXPECT_EQ(warnings_.size(), 1);
  const auto restored = [&](Clock::TimePoint time) {
    const std::chrono::duration<double> point = time.time_since_epoch();
    return database().restore_table(*table, point.count(), plain_schema("r")).outcome;
  };
  EXPECT_EQ(restored(earliest - seconds(1)), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(restored(earliest), BackupOutcome::kDone);
  expect_consistent(database(), "r");
  // The newest write of the restored table is from that second.
  std::int64_t newest = 0;
  for (const std::string& item : items_of(database(), "r")) {
    newest = std::max<std::int64_t>(newest, std::stoll(item.substr(item.find("n=") + 2)));
  }
  EXPECT_EQ(newest, (earliest - begun) / seconds(1) + 1);
}

TEST_P(HistoryKeeperTest, TheOldestOfAnyTableGoesFirst) {
  const TablePtr old = make("old");
  const TablePtr busy = make("busy");
  write(old, 20);
  const Clock::TimePoint between = clock_.now();
  write(busy, 60);
  database().settle();
  EXPECT_GT(window(old).earliest, between - seconds(20));
  EXPECT_LE(window(busy).earliest, between);
  EXPECT_LE(bytes(old) + bytes(busy), kLimit);
  write(busy, 200);
  database().settle();
  EXPECT_EQ(bytes(old), 0);
  EXPECT_LE(bytes(busy), kLimit);
}

TEST_P(HistoryKeeperTest, AWriteThatFindsNoRoomTakesThatOfTheHistory) {
  const TablePtr table = make("t");
  write(table, 50);
  database().settle();
  ASSERT_GT(bytes(table), 40'000);
  database().room().set(0);
  int made = 0;
  try {
    for (; made < 200; ++made) {
      put(database(), table,
          make_item({{"pk", "new"}, {"sk", made}, {"s", std::string(1'000, 's')}}));
    }
  } catch (const MemoryFull&) {
    database().settle();
  }
  EXPECT_GE(made, 30);
  EXPECT_LT(made, 200);
  EXPECT_LT(bytes(table), 20'000);
}

// Room that became free for another reason is not lent.
TEST_P(HistoryKeeperTest, WhatWasForgottenBeforeGivesNoRoom) {
  const TablePtr table = make("t");
  write(table, 400);
  database().settle();
  database().room().set(0);
  int made = 0;
  const auto add_items = [&] {
    for (; made < 300; ++made) {
      put(database(), table,
          make_item({{"pk", "new"}, {"sk", made}, {"s", std::string(1'000, 's')}}));
    }
  };
  EXPECT_THROW(add_items(), MemoryFull);
  EXPECT_LT(made, 150);
  database().settle();
}

TEST_P(HistoryKeeperTest, WhatItKnowsIsExactAfterAStartAndAKill) {
  if (!is_durable()) return;
  open_gated();
  make("t");
  write(database().find_table("t"), 40);
  database().settle();
  const std::int64_t before = bytes(database().find_table("t"));
  database_.reset();
  open_gated();
  EXPECT_EQ(bytes(database().find_table("t")), before);
  write(database().find_table("t"), 3);
  const std::int64_t more = bytes(database().find_table("t"));
  const Clock::TimePoint earliest = window(database().find_table("t")).earliest;
  kill_and_open();
  EXPECT_EQ(bytes(database().find_table("t")), more);
  EXPECT_EQ(window(database().find_table("t")).earliest, earliest);
}

// The turn is stored before it is answered, for any number of tables.
TEST_P(HistoryKeeperTest, ATurnOfTheClockSurvivesAKillAtOnce) {
  if (!is_durable()) return;
  open_gated();
  constexpr int kTables = 40;
  const auto table = [&](int i) { return database().find_table("t" + std::to_string(i)); };
  for (int i = 0; i < kTables; ++i) make("t" + std::to_string(i));
  clock_.advance(hours(1));
  for (int i = 0; i < kTables; ++i) put(database(), table(i), make_item({{"pk", "k"}, {"sk", 1}}));
  database().settle();
  {
    // Called after those of the store: from then on nothing is committed.
    const Clock::Watch killer(clock_, [&](Clock::TimePoint) { faults_->commits = true; });
    clock_.advance(-hours(1));
  }
  const Clock::TimePoint turned = clock_.now();
  kill_and_open(seconds(30));
  for (int i = 0; i < kTables; ++i) {
    const auto place = table(i)->history->place_of(turned, 35);
    ASSERT_TRUE(place);
    EXPECT_TRUE(table(i)->history->segments_behind(*place).empty()) << i;
  }
}

TEST_P(HistoryKeeperTest, OfMoreTurnsThanItRemembersItWarns) {
  options_.history_limit = HistoryBudget::kDefault;
  open();
  const TablePtr table = make("t");
  const Clock::TimePoint earliest = window(table).earliest;
  clock_.advance(hours(1));
  int written = 0;
  const auto turn_and_write = [&](std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
      clock_.advance(-seconds(1));
      put(database(), table, make_item({{"pk", "k"}, {"sk", 1}, {"n", ++written}}));
    }
    database().settle();
  };
  turn_and_write(HistoryState::kMaxEras - 1);
  EXPECT_LE(window(table).earliest, earliest);
  EXPECT_FALSE(has_warning("set back more than 1000 times"));
  turn_and_write(2);
  EXPECT_TRUE(has_warning("set back more than 1000 times"));
}

// As directories of before say it: enabled, and no history.
TEST_P(HistoryKeeperTest, OneThatWasEnabledBeforeBeginsAtTheStart) {
  if (!is_durable()) return;
  make("t");
  database_.reset();
  {
    const auto engine = open_engine(GetParam(), directory_);
    const TreePtr system = engine->open_tree(ColumnFamily::kSystem, "");
    const std::string key = table_record_key(0, "t");
    TableSchema schema = decode_schema(engine->get(*system, key).bytes());
    schema.point_in_time_recovery.since = 0;
    schema.point_in_time_recovery.history_number = 0;
    WriteBatch batch;
    batch.put(system, key, encode_schema(schema));
    engine->commit(batch);
  }
  clock_.advance(hours(1));
  open();
  const TablePtr table = database().find_table("t");
  EXPECT_EQ(window(table).earliest, clock_.now());
  EXPECT_GT(table->schema.point_in_time_recovery.since, 0);
  const Clock::TimePoint begun = clock_.now();
  write(table, 3);
  reopen();
  EXPECT_EQ(window(database().find_table("t")).earliest, begun);
}

}  // namespace
}  // namespace magneto::storage
