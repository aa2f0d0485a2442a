// Tables restored to points in time, on both engines, compared with a model.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/encoding/key_encoding.h"
#include "storage/encoding/keyspace.h"
#include "tests/storage/backup/backup_fixture.h"

namespace magneto::storage {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Mode = CopyGate::Mode;

class PointInTimeTest : public BackupTest {
 protected:
  TablePtr enable(std::string_view name = "t", std::int32_t recovery_days = 35) {
    database().update_table(name, [&](TableSchema& schema) {
      schema.point_in_time_recovery.enabled = true;
      schema.point_in_time_recovery.recovery_days = recovery_days;
    });
    return table(name);
  }
  void disable() {
    database().update_table("t", [](TableSchema& schema) { schema.point_in_time_recovery = {}; });
  }
  TablePtr make(std::string_view name = "t") {
    database().create_table(plain_schema(name));
    return enable(name);
  }
  TablePtr table(std::string_view name = "t") { return database().find_table(name); }
  // At a whole second, so that now() is exact.
  void freeze() { clock_.set(std::chrono::ceil<seconds>(clock_.now()), true); }
  double now() { return clock_.epoch_seconds(); }
  BackupOutcome begin(std::optional<double> time, std::string_view name = "r") {
    return database().restore_table(*table(), time, plain_schema(name)).outcome;
  }
  // The items at that time, restored into a table that is then deleted.
  std::vector<std::string> at(std::optional<double> time) {
    EXPECT_EQ(begin(time), BackupOutcome::kDone);
    if (table("r") == nullptr) return {};
    expect_consistent(database(), "r");
    const TablePtr restored = table("r");
    EXPECT_EQ(restored->schema.status, ResourceStatus::kActive);
    EXPECT_FALSE(restored->schema.point_in_time_recovery.enabled);
    std::vector<std::string> items = items_of(database(), "r");
    EXPECT_EQ(restored->statistics->item_count, std::ssize(items));
    database().delete_table("r");
    return items;
  }
  std::vector<std::string> present() { return items_of(database(), "t"); }
  RecoveryWindow window() { return database().recovery_window(*table()).value(); }

  // Makes random writes, one commit each, and records the table after each second of the clock.
  void write_randomly(int steps) {
    for (int step = 0; step < steps; ++step) {
      const std::string pk = "k" + std::to_string(random_() % 60);
      switch (random_() % 4) {
        case 0:
          remove(database(), table(), make_item({{"pk", pk}, {"sk", 1}}));
          break;
        case 1:
          put(database(), table(), item(pk, 5));  // often what is there
          break;
        default:
          put(database(), table(), item(pk, static_cast<int>(random_() % 1000)));
      }
      if (random_() % 3 == 0) {
        was_[now()] = present();
        clock_.advance(seconds(1));
      }
    }
    was_[now()] = present();
    clock_.advance(seconds(1));
  }
  // Moves one unit from one account to another in one commit.
  void move_one(std::size_t from, std::size_t to) {
    if (from == to) return;
    const TablePtr accounts = table();
    const auto add = [](std::int64_t units) {
      return [units](const StoredItem& current) {
        const ItemView item = current.view();
        const std::int64_t n = item.find("n").number().to_integer().value();
        return WriteDecision::put(
            make_item({{"pk", item.find("pk").scalar_bytes()}, {"sk", 1}, {"n", n + units}}));
      };
    };
    const auto key = [&](std::size_t account) {
      return item_key(accounts->schema, make_item({{"pk", std::to_string(account)}, {"sk", 1}}));
    };
    const auto take = add(-1);
    const auto give = add(1);
    const ItemWrite writes[] = {{accounts, key(from), take}, {accounts, key(to), give}};
    database().transact({.writes = writes});
  }
  std::int64_t sum_at(std::optional<double> time) {
    std::int64_t sum = 0;
    for (const std::string& text : at(time)) {
      sum += std::stoll(text.substr(text.find("n=") + 2));
    }
    return sum;
  }
  // Keys of histories in the store, which must not be open.
  std::size_t history_keys() {
    const auto engine = open_engine(GetParam(), directory_);
    const TreePtr all = engine->open_tree(ColumnFamily::kExpiry, "");
    const auto cursor = engine->scan(*all, {}, {}, Direction::kForward);
    std::size_t keys = 0;
    while (cursor->next()) ++keys;
    return keys;
  }
  void expect_all(int every = 1) {
    int i = 0;
    for (const auto& [time, items] : was_) {
      if (i++ % every != 0) continue;
      EXPECT_EQ(at(time), items) << time;
    }
  }

  std::mt19937 random_{7};
  std::map<double, std::vector<std::string>> was_;
};
INSTANTIATE_TEST_SUITE_P(Engines, PointInTimeTest, kEngineKinds, engine_kind_name);

TEST_P(PointInTimeTest, ATableIsRestoredToEachSecond) {
  freeze();
  make();
  write_randomly(300);
  expect_all(5);
  EXPECT_EQ(at(std::nullopt), present());
}

TEST_P(PointInTimeTest, OverManySegmentsAndStarts) {
  freeze();
  make();
  for (int round = 0; round < 6; ++round) {
    write_randomly(60);
    clock_.advance(hours(18));
    database().settle();  // begins another segment
    if (is_durable() && round % 2 == 0) reopen();
  }
  EXPECT_GT(table()->history->segments().size(), 4);
  expect_all(7);
}

TEST_P(PointInTimeTest, ATransactionIsThereWhollyOrNotAtAll) {
  make();
  constexpr int kAccounts = 8;
  for (int i = 0; i < kAccounts; ++i) {
    put(database(), table(), make_item({{"pk", std::to_string(i)}, {"sk", 1}, {"n", 100}}));
  }
  std::atomic<bool> stops = false;
  std::atomic<int> moves = 0;
  std::vector<double> times;
  {
    std::vector<std::jthread> writers;
    for (int w = 0; w < 3; ++w) {
      writers.emplace_back([&, w] {
        std::mt19937 random(static_cast<unsigned>(w));
        while (!stops) {
          move_one(random() % kAccounts, random() % kAccounts);
          ++moves;
        }
      });
    }
    for (int i = 0; i < 30; ++i) {
      const int before = moves;
      EXPECT_TRUE(eventually([&] { return moves > before + 20; }));
      times.push_back(std::chrono::duration<double>(window().latest.time_since_epoch()).count());
    }
    EXPECT_EQ(sum_at(times.front()), 100 * kAccounts);
    stops = true;
  }
  for (const double time : times) EXPECT_EQ(sum_at(time), 100 * kAccounts);
  EXPECT_EQ(sum_at(std::nullopt), 100 * kAccounts);
}

// Under a frozen clock all writes have the same time. A restore to that time has all of them, since
// all were answered by then.
TEST_P(PointInTimeTest, WhatWasAnsweredBeforeIsThere) {
  freeze();
  make();
  for (int i = 0; i < 50; ++i) {
    put(database(), table(), item("k", i));
    EXPECT_EQ(at(now()), present());
  }
  const double then = now();
  const std::vector<std::string> was = present();
  clock_.advance(Clock::Duration(1));
  put(database(), table(), item("k", 99));
  EXPECT_EQ(at(then), was);
}

TEST_P(PointInTimeTest, NothingIsRestoredBeyondTheWindow) {
  freeze();
  database().create_table(plain_schema("t"));
  EXPECT_EQ(begin(now()), BackupOutcome::kNoHistory);
  EXPECT_EQ(database().recovery_window(*table()), std::nullopt);
  put(database(), table(), item("k", 1));
  clock_.advance(hours(1));
  enable();
  const double enabled = now();
  EXPECT_EQ(begin(enabled - 1), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(begin(enabled + 1), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(begin(-1e300), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(begin(1e300), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(at(enabled).size(), 1);
  clock_.advance(days(36));
  EXPECT_EQ(begin(enabled), BackupOutcome::kOutsideWindow);
  EXPECT_EQ(window().earliest, clock_.now() - days(35));
  disable();
  EXPECT_EQ(begin(now()), BackupOutcome::kNoHistory);
  enable();
  EXPECT_EQ(window().earliest, clock_.now());
}

TEST_P(PointInTimeTest, WhatIsOlderThanThePeriodIsForgotten) {
  freeze();
  make();
  enable("t", 1);
  for (int hour = 0; hour < 60; ++hour) {
    put(database(), table(), item("k", hour));
    was_[now()] = present();
    clock_.advance(hours(1));
    database().settle();
  }
  EXPECT_LE(table()->history->segments().size(), 52);
  EXPECT_EQ(window().earliest, clock_.now() - days(1));
  for (const auto& [time, items] : was_) {
    if (time < now() - 86'400) continue;
    EXPECT_EQ(at(time), items) << time;
  }
  // Removed history does not return with a longer period.
  enable("t", 35);
  EXPECT_GT(window().earliest, clock_.now() - days(2));
}

TEST_P(PointInTimeTest, AClockThatIsTurnedBackAndForth) {
  freeze();
  make();
  const auto write_at = [&](Clock::TimePoint time, int n) {
    clock_.set(time);
    put(database(), table(), item("k", n));
    was_[now()] = present();
  };
  const Clock::TimePoint begun = clock_.now();
  write_at(begun + hours(1), 1);
  write_at(begun + hours(2), 2);
  write_at(begun + hours(5), 5);
  // Back to a time that the clock showed twice.
  write_at(begun + hours(1) + minutes(30), 10);
  was_.erase(std::chrono::duration<double>((begun + hours(2)).time_since_epoch()).count());
  was_.erase(std::chrono::duration<double>((begun + hours(5)).time_since_epoch()).count());
  expect_all();
  write_at(begun + hours(3), 11);
  expect_all();
  if (is_durable()) reopen();
  expect_all();
  EXPECT_EQ(window().earliest, begun);
}

TEST_P(PointInTimeTest, ARestoreThatWasCutOffGoesOnAtItsTime) {
  if (!is_durable()) return;  // nothing is left of it there
  freeze();
  open_gated();
  make();
  fill(table(), 0, kSeveralChunks);
  const std::vector<std::string> was = present();
  const double then = now();
  clock_.advance(seconds(10));
  fill(table(), 100, 700);
  for (int i = 0; i < 300; ++i)
    remove(database(), table(), make_item({{"pk", "k" + std::to_string(i)}, {"sk", 1}}));
  const std::uint32_t next = table()->history->number() + 1;
  gate_.set(Mode::kHold, next, 1);
  EXPECT_EQ(begin(then), BackupOutcome::kDone);
  gate_.await_one();
  kill_and_open();
  EXPECT_EQ(table("r")->schema.status, ResourceStatus::kCreating);
  put(database(), table(), item("k999", 12345));
  expect_consistent(database(), "r");
  EXPECT_EQ(table("r")->schema.status, ResourceStatus::kActive);
  EXPECT_EQ(items_of(database(), "r"), was);
}

TEST_P(PointInTimeTest, AfterAKillItIsAsItWas) {
  if (!is_durable()) return;
  freeze();
  open_gated();
  make();
  write_randomly(100);
  clock_.advance(hours(18));
  put(database(), table(), item("late", 1));
  kill_and_open();
  write_randomly(50);
  expect_all(6);
  disable();
  database().settle();
  database_.reset();
  EXPECT_EQ(records("history/"), 0);
  EXPECT_EQ(records("history-eras/"), 0);
  EXPECT_EQ(records("dropped/"), 0);
  EXPECT_EQ(history_keys(), 0);
}

// The clock was ahead, and is not after a restart.
TEST_P(PointInTimeTest, AClockThatIsBackAfterARestartHidesNoWrite) {
  if (!is_durable()) return;
  freeze();
  open_gated();
  make();
  for (const bool is_killed : {true, false}) {
    put(database(), table(), item("k", 1));
    clock_.advance(hours(1));
    put(database(), table(), item("k", 2));
    if (is_killed) {
      kill_and_open(-hours(1));
    } else {
      database_.reset();
      clock_.advance(-hours(1));
      open();
    }
    const double restarted = now();
    const std::vector<std::string> was = present();
    EXPECT_EQ(at(std::nullopt), was);
    EXPECT_EQ(at(restarted), was);
    clock_.advance(minutes(10));
    EXPECT_EQ(at(restarted + 300), was);
    put(database(), table(), item("k", 3));
    clock_.advance(seconds(1));
    EXPECT_EQ(at(restarted + 300), was);
    EXPECT_EQ(at(std::nullopt), present());
  }
}

// Changes of the clock, and writes during the restore, do not change its result.
TEST_P(PointInTimeTest, ARestoreThatWasCutOffGoesOnWhereTheClockIsBack) {
  if (!is_durable()) return;
  for (const hours turned : {hours(-1), hours(0), hours(1)}) {
    database_.reset();
    clock_.unfreeze();
    freeze();
    open_gated();
    const std::string name = "t" + std::to_string(turned.count());
    database().create_table(plain_schema(name));
    enable(name);
    fill(table(name), 0, kSeveralChunks);
    clock_.advance(hours(1));
    put(database(), table(name), item("late", 1));
    const std::vector<std::string> was = items_of(database(), name);
    gate_.set(Mode::kHold, table(name)->history->number() + 1, 1);
    const RestoreResult begun =
        database().restore_table(*table(name), std::nullopt, plain_schema("r" + name));
    EXPECT_EQ(begun.outcome, BackupOutcome::kDone);
    gate_.await_one();
    put(database(), table(name), item("k1", -1));
    put(database(), table(name), item("k" + std::to_string(kSeveralChunks - 1), -1));
    kill_and_open(turned);
    EXPECT_EQ(table("r" + name)->schema.status, ResourceStatus::kCreating);
    put(database(), table(name), item("k0", -2));
    put(database(), table(name), item("k" + std::to_string(kSeveralChunks - 2), -2));
    expect_consistent(database(), "r" + name);
    ASSERT_NE(table("r" + name), nullptr);
    EXPECT_EQ(table("r" + name)->schema.status, ResourceStatus::kActive);
    EXPECT_EQ(items_of(database(), "r" + name), was);
  }
}

// More than is looked at in one step, and more changes of one item than are walked.
TEST_P(PointInTimeTest, ManyThatAreGoneAndOneThatChangesOften) {
  freeze();
  database().create_table(table_schema("t"));
  enable();
  const auto plain = [](int i) { return make_item({{"pk", "p" + std::to_string(i)}, {"sk", 1}}); };
  put(database(), table(), make_item({{"pk", "hot"}, {"sk", 1}, {"n", 0}}));
  put(database(), table(), plain(0));
  const double first = now();
  const std::vector<std::string> was = present();
  clock_.advance(seconds(1));
  for (int i = 1; i < 25'000; ++i) {
    put(database(), table(), plain(i));
    if (i % 5 == 0) put(database(), table(), make_item({{"pk", "hot"}, {"sk", 1}, {"n", i}}));
    if (i == 12'000) clock_.advance(seconds(1));
  }
  const double full = now() - 1;
  clock_.advance(seconds(1));
  for (int i = 1; i < 25'000; ++i) {
    remove(database(), table(), plain(i));
    if (i == 12'000) clock_.advance(hours(20));
  }
  EXPECT_EQ(present().size(), 2);
  EXPECT_EQ(at(first), was);
  const std::vector<std::string> half = at(full);
  EXPECT_EQ(half.size(), 12'002);
  EXPECT_TRUE(std::ranges::any_of(
      half, [](const std::string& item) { return item == "n=12000 pk=hot sk=1"; }));
  EXPECT_EQ(at(std::nullopt), present());
}

TEST_P(PointInTimeTest, ADeletedTableLeavesNothing) {
  TablePtr begun = make();
  write_randomly(50);
  database().delete_table("t");
  database().settle();
  EXPECT_EQ(begun->history->segments().size(), 1);
  if (!is_durable()) return;
  begun.reset();
  database_.reset();
  EXPECT_EQ(records("history/"), 0);
  EXPECT_EQ(history_keys(), 0);
}

TEST_P(PointInTimeTest, AForkHasTheHistoryOfItsParent) {
  freeze();
  make();
  write_randomly(60);
  const auto frozen = databases().snapshot();
  write_randomly(20);
  const auto forked = Databases::fork(frozen, options_, clock_);
  Database& fork = forked->main();
  const double split = std::prev(was_.end(), 3)->first;
  put(fork, fork.find_table("t"), item("fork", 1));
  const double first = was_.begin()->first;
  EXPECT_EQ(fork.restore_table(*fork.find_table("t"), first, plain_schema("r")).outcome,
            BackupOutcome::kDone);
  expect_consistent(fork, "r");
  EXPECT_EQ(items_of(fork, "r"), was_.begin()->second);
  EXPECT_EQ(table("r"), nullptr);
  EXPECT_EQ(at(split), was_.at(split));
}

}  // namespace
}  // namespace magneto::storage
