// Snapshots that a data directory keeps, forks of them, and the store that begins as one.
#include "storage/saved_snapshots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/storage/database_fixture.h"
#include "tests/storage/stream/stream_replay.h"
#include "tests/support/full_disk.h"

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

class SavedSnapshotsTest : public testing::Test {
 protected:
  SavedSnapshotsTest() { options_.data_directory = directory_.file("data"); }

  static TableSchema full_schema() {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}),
                      index_schema("l", IndexKind::kLocal, {string_key("pk")}, {number_key("n")})};
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    return schema;
  }
  static Item item(const std::string& pk, int n) {
    return make_item({{"pk", pk}, {"sk", 1}, {"g", "g" + std::to_string(n % 7)}, {"n", n}});
  }
  static int number_of(Databases& store, const std::string& pk) {
    Database& main = store.main();
    const StoredItem found = get(main, main.find_table("t"), item(pk, 0));
    return found ? static_cast<int>(*found.view().find("n").number().to_integer()) : -1;
  }
  static void put_into(Databases& store, const std::string& pk, int n) {
    put(store.main(), store.main().find_table("t"), item(pk, n));
  }

  // In the table as it was at that time.
  static int number_at(Databases& store, const std::string& pk, Clock::TimePoint time) {
    Database& main = store.main();
    const double seconds = std::chrono::duration<double>(time.time_since_epoch()).count();
    const RestoreResult result =
        main.restore_table(*main.find_table("t"), seconds, table_schema("r"));
    EXPECT_EQ(result.outcome, BackupOutcome::kDone);
    if (result.outcome != BackupOutcome::kDone) return -1;
    main.settle();
    const TablePtr restored = main.find_table("r");
    const StoredItem found = get(main, restored, item(pk, 0));
    main.delete_table("r");
    return found ? static_cast<int>(*found.view().find("n").number().to_integer()) : -1;
  }

  void open() { store_ = Databases::open(options_, clock_); }
  void reopen() {
    store_.reset();
    open();
  }
  // With items k0 to k9, whose number is theirs.
  void fill() {
    open();
    store_->main().create_table(full_schema());
    for (int i = 0; i < 10; ++i) put_into(*store_, "k" + std::to_string(i), i);
  }
  std::unique_ptr<SavedSnapshots> saved() { return SavedSnapshots::of(*store_, options_); }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& one : saved()->list()) found.push_back(one.name + "=" + one.note);
    std::ranges::sort(found);
    return found;
  }
  std::unique_ptr<Databases> fork_of(std::string_view name) {
    return Databases::fork(saved()->open(name), {}, clock_);
  }
  void restore(std::string_view name) {
    auto restored = saved()->restore(name, clock_);
    restored->replace(*store_);
    store_ = std::move(restored);
  }
  std::vector<std::string> files_in(std::string_view folder) const {
    std::vector<std::string> found;
    const fs::path path = fs::path(options_.data_directory) / folder;
    if (!fs::exists(path)) return found;
    for (const auto& entry : fs::directory_iterator(path)) found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }

  TempDirectory directory_;
  Clock clock_;
  DatabaseOptions options_;
  std::unique_ptr<Databases> store_;
};

using Names = std::vector<std::string>;

TEST_F(SavedSnapshotsTest, AStoreInMemoryHasNone) {
  options_.data_directory.clear();
  open();
  EXPECT_EQ(saved(), nullptr);
}

TEST_F(SavedSnapshotsTest, StayOverRestartsUntilTheyAreRemoved) {
  fill();
  EXPECT_EQ(names(), Names());
  SavedSnapshots::save(*store_, "seeded", "a note\n");
  SavedSnapshots::save(*store_, "B.2-x_", "");
  EXPECT_EQ(names(), (Names{"B.2-x_=", "seeded=a note\n"}));
  reopen();
  EXPECT_EQ(names(), (Names{"B.2-x_=", "seeded=a note\n"}));
  saved()->remove("B.2-x_");
  saved()->remove("B.2-x_");
  reopen();
  EXPECT_EQ(names(), (Names{"seeded=a note\n"}));
  EXPECT_EQ(files_in("snapshots"), (Names{"seeded"}));
  EXPECT_EQ(files_in("stores"), Names());
}

TEST_F(SavedSnapshotsTest, AreWhatTheStoreWas) {
  fill();
  SavedSnapshots::save(*store_, "s", "");
  put_into(*store_, "k1", 1'001);
  put_into(*store_, "later", 1);
  store_->main().create_table(table_schema("u"));
  for (const bool restarted : {false, true}) {
    if (restarted) reopen();
    const auto fork = fork_of("s");
    EXPECT_EQ(number_of(*fork, "k1"), 1);
    EXPECT_EQ(number_of(*fork, "later"), -1);
    EXPECT_EQ(fork->main().find_table("u"), nullptr);
    expect_consistent(fork->main(), "t");
    put_into(*fork, "k1", 7);
    StreamReplay replay;
    while (replay.read(*fork->main().list_streams("t", "", 10).back())) continue;
    EXPECT_EQ(replay.items().size(), 10U);
    const auto other = fork_of("s");
    EXPECT_EQ(number_of(*other, "k1"), 1);
    EXPECT_EQ(number_of(*store_, "k1"), 1'001);
  }
}

TEST_F(SavedSnapshotsTest, AForkStaysWhenTheSnapshotIsRemovedAndLeavesNothing) {
  fill();
  SavedSnapshots::save(*store_, "s", "");
  auto fork = fork_of("s");
  EXPECT_EQ(files_in("stores").size(), 1U);
  saved()->remove("s");
  store_.reset();
  EXPECT_EQ(number_of(*fork, "k3"), 3);
  EXPECT_THROW(open(), EngineError);  // the fork's files are in the directory
  fork.reset();
  EXPECT_EQ(files_in("stores"), Names());
  open();
  EXPECT_EQ(number_of(*store_, "k3"), 3);
}

TEST_F(SavedSnapshotsTest, ARestoredStoreIsTheDirectorysFromThenOn) {
  fill();
  SavedSnapshots::save(*store_, "s", "");
  put_into(*store_, "k1", 1'001);
  for (int round = 0; round < 3; ++round) {
    auto restored = saved()->restore("s", clock_);
    restored->replace(*store_);
    EXPECT_EQ(number_of(*restored, "k1"), 1);
    // A user of the former store sees its state.
    EXPECT_EQ(number_of(*store_, "k1"), round == 0 ? 1'001 : 50 + round - 1);
    store_ = std::move(restored);
    EXPECT_EQ(files_in("stores").size(), 1U);
    EXPECT_FALSE(fs::exists(options_.data_directory + "/rocksdb"));
    put_into(*store_, "k1", 50 + round);
    expect_consistent(store_->main(), "t");
  }
  reopen();
  EXPECT_EQ(number_of(*store_, "k1"), 52);
  EXPECT_EQ(names(), (Names{"s="}));
  SavedSnapshots::save(*store_, "of the restored", "");
  put_into(*store_, "k1", 60);
  EXPECT_EQ(number_of(*fork_of("of the restored"), "k1"), 52);
  EXPECT_EQ(number_of(*fork_of("s"), "k1"), 1);
}

TEST_F(SavedSnapshotsTest, WhatAKilledProcessLeftGoes) {
  fill();
  SavedSnapshots::save(*store_, "s", "");
  restore("s");
  store_.reset();
  const std::string data = options_.data_directory;
  const Names current = files_in("stores");
  fs::create_directories(data + "/stores/99/rocksdb");
  fs::create_directories(data + "/rocksdb");  // of the store that it was restored over
  std::ofstream(data + "/spare7") << "segment";
  fs::create_directories(data + "/stores/mine");  // not ours
  open();
  EXPECT_EQ(number_of(*store_, "k1"), 1);
  EXPECT_FALSE(fs::exists(data + "/rocksdb"));
  EXPECT_FALSE(fs::exists(data + "/spare7"));
  EXPECT_EQ(files_in("stores"), (Names{current.at(0), "mine"}));
}

TEST_F(SavedSnapshotsTest, ADamagedDirectoryIsRefused) {
  fill();
  SavedSnapshots::save(*store_, "s", "");
  restore("s");
  store_.reset();
  const std::string current = options_.data_directory + "/current";
  const Names stores = files_in("stores");
  std::ifstream marker(options_.data_directory + "/MAGNETO");
  EXPECT_NE(std::string(std::istreambuf_iterator<char>(marker), {}).find("format 6\n"),
            std::string::npos);
  fs::rename(current, current + ".moved");
  EXPECT_THROW(open(), EngineError);
  EXPECT_EQ(files_in("stores"), stores);
  for (const std::string text : {"x\n", "", "0\n", "17\n", "-1", "99999999999999999999999"}) {
    std::ofstream(current) << text;
    EXPECT_THROW(open(), EngineError) << text;
  }
}

TEST_F(SavedSnapshotsTest, OneNameIsSavedOnce) {
  fill();
  SavedSnapshots::save(*store_, "s", "first");
  put_into(*store_, "k1", 5);
  EXPECT_THROW(SavedSnapshots::save(*store_, "s", "second"), EngineError);
  EXPECT_EQ(names(), (Names{"s=first"}));
  EXPECT_EQ(files_in("stores"), Names());
  EXPECT_EQ(number_of(*fork_of("s"), "k1"), 1);
  EXPECT_THROW(saved()->open("unknown"), EngineError);
  EXPECT_THROW(saved()->restore("unknown", clock_), EngineError);
  EXPECT_EQ(files_in("stores"), Names());
}

TEST_F(SavedSnapshotsTest, AFullDiskRefusesThemAndNothingElseHappens) {
  fill();
  SavedSnapshots::save(*store_, "s", "");
  put_into(*store_, "k1", 5);
  {
    const FullDisk full(options_.data_directory);
    EXPECT_THROW(SavedSnapshots::save(*store_, "t", ""), EngineError);
    EXPECT_THROW(saved()->restore("s", clock_), EngineError);
    EXPECT_EQ(number_of(*store_, "k1"), 5);
    saved()->remove("s");
  }
  EXPECT_EQ(names(), Names());
  EXPECT_EQ(files_in("stores"), Names());
  // RocksDB tries again now and then.
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  const auto is_saved = [&] {
    try {
      SavedSnapshots::save(*store_, "t", "");
      return true;
    } catch (const EngineError&) {
      return false;
    }
  };
  while (!is_saved()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  reopen();
  EXPECT_EQ(number_of(*store_, "k1"), 5);
  EXPECT_EQ(number_of(*fork_of("t"), "k1"), 5);
}

TEST_F(SavedSnapshotsTest, ANoteThatCannotBeReadIsInNobodysWay) {
  fill();
  SavedSnapshots::save(*store_, "good", "a note");
  SavedSnapshots::save(*store_, "long", "another");
  std::ofstream(options_.data_directory + "/snapshots/long/note") << std::string(100'000, 'x');
  EXPECT_EQ(names(), (Names{"good=a note", "long="}));
}

TEST_F(SavedSnapshotsTest, OneWithoutItsFilesIsRefused) {
  fill();
  SavedSnapshots::save(*store_, "s", "");
  fs::remove(options_.data_directory + "/snapshots/s/rocksdb/CURRENT");
  EXPECT_THROW(saved()->restore("s", clock_), EngineError);
  EXPECT_THROW(saved()->open("s"), EngineError);
  EXPECT_EQ(files_in("stores"), Names());
}

// The clock of a fork continues from its time in the saved snapshot, independent of other clocks.
TEST_F(SavedSnapshotsTest, AForkHasThePastOfItsOwnClock) {
  using std::chrono::hours;
  const Clock::TimePoint begin = std::chrono::ceil<std::chrono::seconds>(clock_.now());
  clock_.set(begin, true);
  fill();
  store_->main().update_table("t", [](TableSchema& schema) {
    schema.point_in_time_recovery = {.enabled = true, .recovery_days = 35};
  });
  clock_.advance(hours(10));
  put_into(*store_, "k1", 1'001);
  clock_.advance(hours(1));
  SavedSnapshots::save(*store_, "s", "");
  clock_.set(begin);
  Clock clock;
  clock.set(begin + hours(11), true);
  const auto expect_past = [&](Databases& fork) {
    EXPECT_EQ(number_at(fork, "k1", begin + hours(9)), 1);
    EXPECT_EQ(number_at(fork, "k1", begin + hours(11)), 1'001);
  };
  for (const bool restarted : {false, true}) {
    SCOPED_TRACE(restarted);
    if (restarted) reopen();
    const StoreSnapshotPtr opened = saved()->open("s");
    for (int i = 0; i < 2; ++i) {
      const auto fork = Databases::fork(opened, {}, clock);
      expect_past(*Databases::fork(fork->snapshot(), {}, clock));
      expect_past(*fork);
      expect_past(*Databases::fork(fork->snapshot(), {}, clock));
    }
  }
}

// A fork locks the indexes first, a save the writers.
TEST_F(SavedSnapshotsTest, AreSavedWhileOthersForkAndWrite) {
  open();
  TableSchema schema = full_schema();
  for (const char* name : {"g2", "g3"}) {
    schema.indexes.push_back(index_schema(name, IndexKind::kGlobal, {string_key("g")}, {}));
  }
  store_->main().create_table(schema);
  std::atomic<bool> stopped = false;
  std::vector<std::thread> others;
  for (int i = 0; i < 2; ++i) {
    others.emplace_back([&, i] {
      for (int n = 0; !stopped; ++n)
        put_into(*store_, std::to_string(i) + "-" + std::to_string(n % 50), n);
    });
  }
  others.emplace_back([&] {
    while (!stopped) Databases::fork(store_->snapshot(), {}, clock_);
  });
  for (int round = 0; round < 10; ++round) {
    SavedSnapshots::save(*store_, "s" + std::to_string(round), "");
  }
  stopped = true;
  for (std::thread& other : others) other.join();
  expect_consistent(fork_of("s9")->main(), "t");
}

// A snapshot has all of the writes of one transaction or none, and all writes that returned before.
TEST_F(SavedSnapshotsTest, AreOfOneMomentWhileOthersWrite) {
  fill();
  put_into(*store_, "a", 0);
  put_into(*store_, "b", 0);
  std::atomic<bool> stopped = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    Database& main = store_->main();
    const TablePtr table = main.find_table("t");
    for (int n = 1; !stopped; ++n) {
      const auto write = [&](const Item& put, const Decide& decide) {
        return ItemWrite{table, item_key(table->schema, put), decide};
      };
      const Item a = item("a", n);
      const Item b = item("b", n);
      const auto put_a = [&](const StoredItem&) { return WriteDecision::put(a); };
      const auto put_b = [&](const StoredItem&) { return WriteDecision::put(b); };
      const std::vector<ItemWrite> writes{write(a, put_a), write(b, put_b)};
      main.transact({writes, nullptr});
      written = n;
    }
  });
  for (int round = 0; round < 8; ++round) {
    const std::string name = "s" + std::to_string(round);
    const int before = written;
    SavedSnapshots::save(*store_, name, "");
    const int after = written;
    const auto fork = fork_of(name);
    const int found = number_of(*fork, "a");
    EXPECT_EQ(number_of(*fork, "b"), found);
    EXPECT_GE(found, before);
    EXPECT_LE(found, after + 1);
    expect_consistent(fork->main(), "t");
  }
  stopped = true;
  writer.join();
}

}  // namespace
}  // namespace magneto::storage
