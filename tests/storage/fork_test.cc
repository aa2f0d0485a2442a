// Forks: stores that begin as another one was.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "tests/storage/database_fixture.h"
#include "tests/storage/stream/stream_replay.h"
#include "tests/storage/time_to_live.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;

class ForkTest : public DatabaseTest {
 protected:
  static TableSchema full_schema(std::string_view name = "t") {
    TableSchema schema = table_schema(name);
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}),
                      index_schema("l", IndexKind::kLocal, {string_key("pk")}, {number_key("n")})};
    schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
    return schema;
  }
  static Item item(const std::string& pk, int n) {
    return make_item({{"pk", pk}, {"sk", 1}, {"g", "g" + std::to_string(n % 7)}, {"n", n}});
  }
  std::unique_ptr<Databases> fork(Databases& from) {
    return Databases::fork(from.snapshot(), options_, clock_);
  }
  static int number_of(Database& database, const std::string& pk) {
    const StoredItem found = get(database, database.find_table("t"), item(pk, 0));
    return found ? static_cast<int>(*found.view().find("n").number().to_integer()) : -1;
  }
  static std::vector<std::string> pages(Database& database) {
    std::vector<std::string> found;
    for (const auto& [key, value] : contents(database, *database.find_table("t"), nullptr)) {
      found.push_back(value);
    }
    return found;
  }
  // The stream's records, applied to an empty table, give the items of the table.
  static void expect_stream_tells_all(Database& database) {
    const auto streams = database.list_streams("t", "", 10);
    ASSERT_FALSE(streams.empty());
    StreamReplay replay;
    while (replay.read(*streams.back())) continue;
    std::size_t count = 0;
    ItemCursor cursor = database.scan(*database.find_table("t"), nullptr, {}, Direction::kForward);
    while (cursor.next()) ++count;
    EXPECT_EQ(replay.items().size(), count);
  }
  static TransactionResult transact(Database& database, std::string_view token,
                                    std::string_view content, const Item& put) {
    const TablePtr table = database.find_table("t");
    const auto no_hash = [] { return std::uint64_t{0}; };
    const auto receipt = [](std::span<const WriteOutcome>) { return std::string("done"); };
    const auto decide = [&](const StoredItem&) { return WriteDecision::put(put); };
    const std::vector<ItemWrite> writes{{table, item_key(table->schema, put), decide}};
    const ClientToken client{token, {digest_of(content), no_hash}, receipt};
    return database.transact({writes, &client});
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, ForkTest, kEngineKinds, engine_kind_name);

TEST_P(ForkTest, BeginsAsACopyAndGoesItsOwnWay) {
  Database& main = database();
  const TablePtr table = main.create_table(full_schema());
  for (int i = 0; i < 50; ++i) put(main, table, item("k" + std::to_string(i), i));
  const auto forked = fork(databases());
  Database& child = forked->main();
  EXPECT_EQ(child.list_tables("", 10), (std::vector<std::string>{"t"}));
  EXPECT_EQ(pages(child), pages(main));
  const TablePtr own = child.find_table("t");
  EXPECT_EQ(own->schema.id, table->schema.id);
  put(child, own, item("k1", 1'001));
  remove(child, own, item("k2", 0));
  put(child, own, item("new", 5));
  put(main, table, item("k1", 2'001));
  put(main, table, item("k3", 2'003));
  remove(main, table, item("k4", 0));
  EXPECT_EQ(number_of(child, "k1"), 1'001);
  EXPECT_EQ(number_of(child, "k2"), -1);
  EXPECT_EQ(number_of(child, "k3"), 3);
  EXPECT_EQ(number_of(child, "k4"), 4);
  EXPECT_EQ(number_of(main, "k1"), 2'001);
  EXPECT_EQ(number_of(main, "k2"), 2);
  EXPECT_EQ(number_of(main, "k4"), -1);
  EXPECT_EQ(number_of(main, "new"), -1);
  expect_consistent(child, "t");
  expect_consistent(main, "t");
  expect_stream_tells_all(child);
  expect_stream_tells_all(main);
}

TEST_P(ForkTest, OutlivesWhatItWasForkedFrom) {
  const TablePtr table = database().create_table(full_schema());
  put(database(), table, item("a", 1));
  auto first = fork(databases());
  put(first->main(), first->main().find_table("t"), item("b", 2));
  const auto second = fork(*first);
  first.reset();
  database_.reset();
  Database& last = second->main();
  EXPECT_EQ(number_of(last, "a"), 1);
  EXPECT_EQ(number_of(last, "b"), 2);
  put(last, last.find_table("t"), item("a", 3));
  EXPECT_EQ(number_of(last, "a"), 3);
  expect_consistent(last, "t");
  expect_stream_tells_all(last);
}

// As a suite does that takes a snapshot and restores it in each of its tests.
TEST_P(ForkTest, ChainsOfAnyLengthAreMerged) {
  constexpr int kRounds = 50;
  Database& main = database();
  put(main, main.create_table(full_schema()), item("first", 0));
  using Kind = TransactionResult::Kind;
  EXPECT_EQ(transact(main, "token", "x", item("t", 1)).kind, Kind::kCommitted);
  std::unique_ptr<Databases> last = fork(databases());
  std::weak_ptr<const StoreSnapshot> second;
  for (int round = 1; round < kRounds; ++round) {
    Database& now = last->main();
    const std::string name = "u" + std::to_string(round);
    const TablePtr table = now.find_table("t");
    put(now, table, item("k" + std::to_string(round), round));
    if (round > 2) remove(now, table, item("k" + std::to_string(round - 2), 0));
    now.create_table(full_schema(name));
    put(now, now.find_table(name), item("a", round));
    if (round > 1) now.delete_table("u" + std::to_string(round - 1));
    EXPECT_EQ(transact(now, "token " + name, "x", item("t", round)).kind, Kind::kCommitted);
    const StoreSnapshotPtr frozen = last->snapshot();
    EXPECT_LE(frozen->depth, StoreSnapshot::kMaxDepth + 1);
    if (round == 2) second = frozen;
    last = Databases::fork(frozen, options_, clock_);
  }
  EXPECT_EQ(second.lock(), nullptr);
  Database& end = last->main();
  EXPECT_EQ(end.list_tables("", 100),
            (std::vector<std::string>{"t", "u" + std::to_string(kRounds - 1)}));
  EXPECT_EQ(number_of(end, "first"), 0);
  EXPECT_EQ(number_of(end, "t"), kRounds - 1);
  EXPECT_EQ(number_of(end, "k" + std::to_string(kRounds - 1)), kRounds - 1);
  EXPECT_EQ(number_of(end, "k" + std::to_string(kRounds - 3)), -1);
  EXPECT_EQ(pages(end).size(), 4U);
  EXPECT_EQ(transact(end, "token", "x", item("t", 99)).kind, Kind::kRepeated);
  EXPECT_EQ(transact(end, "token u7", "y", item("t", 99)).kind, Kind::kMismatch);
  EXPECT_EQ(number_of(main, "t"), 1);
  expect_consistent(end, "t");
  expect_stream_tells_all(end);
}

TEST_P(ForkTest, WhatDoesNotChangeIsFrozenOnce) {
  const TablePtr table = database().create_table(full_schema());
  put(database(), table, item("a", 1));
  database().settle();
  const StoreSnapshotPtr first = databases().snapshot();
  if (!is_durable()) {
    EXPECT_EQ(databases().snapshot(), first);
  }
  const auto forked = Databases::fork(first, options_, clock_);
  EXPECT_EQ(forked->snapshot(), first);
  put(forked->main(), forked->main().find_table("t"), item("a", 2));
  const StoreSnapshotPtr second = forked->snapshot();
  EXPECT_NE(second, first);
  EXPECT_EQ(forked->snapshot(), second);
  put(database(), table, item("a", 3));
  EXPECT_NE(databases().snapshot(), first);
  const auto again = Databases::fork(first, options_, clock_);
  EXPECT_EQ(number_of(again->main(), "a"), 1);
  const auto of_fork = Databases::fork(second, options_, clock_);
  EXPECT_EQ(number_of(of_fork->main(), "a"), 2);
}

// Only setting the clock changes the table's state at a time here.
TEST_P(ForkTest, WhatTheClockHasShownSinceIsFrozenToo) {
  clock_.set(std::chrono::ceil<std::chrono::seconds>(clock_.now()), true);
  const TablePtr table = database().create_table(table_schema("t"));
  database().update_table("t", [](TableSchema& schema) {
    schema.point_in_time_recovery = {.enabled = true, .recovery_days = 35};
  });
  clock_.advance(hours(2));
  put(database(), database().find_table("t"), item("a", 1));
  clock_.advance(hours(1));
  const StoreSnapshotPtr first = databases().snapshot();
  const auto forked = Databases::fork(first, options_, clock_);
  EXPECT_EQ(forked->snapshot(), first);
  const double shown_again = clock_.epoch_seconds() - std::chrono::seconds(hours(2)).count();
  clock_.advance(-hours(2));
  clock_.advance(hours(2));
  for (Databases* const store : {forked.get(), &databases()}) {
    const StoreSnapshotPtr second = store->snapshot();
    if (!is_durable()) {
      EXPECT_EQ(store->snapshot(), second);
    }
    const auto again = Databases::fork(second, options_, clock_);
    Database& child = again->main();
    ASSERT_EQ(child.restore_table(*child.find_table("t"), shown_again, table_schema("r")).outcome,
              BackupOutcome::kDone);
    child.settle();
    EXPECT_TRUE(get(child, child.find_table("r"), item("a", 0)));
  }
}

TEST_P(ForkTest, TablesAreMadeChangedAndDeletedApart) {
  const TablePtr table = database().create_table(full_schema());
  put(database(), table, item("a", 1));
  const auto forked = fork(databases());
  Database& child = forked->main();
  const TablePtr mine = child.create_table(full_schema("u"));
  const TablePtr theirs = database().create_table(full_schema("u"));
  put(child, mine, item("mine", 1));
  put(database(), theirs, item("theirs", 2));
  EXPECT_EQ(contents(child, *mine, nullptr).size(), 1U);
  EXPECT_NE(mine->schema.id, theirs->schema.id);
  child.update_table("t", [](TableSchema& schema) {
    schema.indexes.push_back(index_schema("g2", IndexKind::kGlobal, {number_key("n")}, {}));
    schema.indexes.back().status = ResourceStatus::kCreating;
    schema.status = ResourceStatus::kUpdating;
  });
  expect_consistent(child, "t");
  ASSERT_EQ(child.find_table("t")->indexes.size(), 3U);
  EXPECT_EQ(contents(child, *child.find_table("t"), child.find_table("t")->find_index("g2")).size(),
            1U);
  EXPECT_EQ(database().find_table("t")->indexes.size(), 2U);
  child.delete_table("t");
  child.settle();
  EXPECT_EQ(child.find_table("t"), nullptr);
  EXPECT_EQ(number_of(database(), "a"), 1);
  const TablePtr again = child.create_table(full_schema());
  EXPECT_EQ(contents(child, *again, nullptr).size(), 0U);
  EXPECT_EQ(contents(child, *again, again->find_index("g")).size(), 0U);
  database().delete_table("t");
  database().settle();
  EXPECT_EQ(contents(child, *mine, nullptr).size(), 1U);
}

TEST_P(ForkTest, ClientTokensAreThoseOfTheMoment) {
  database().create_table(full_schema());
  using Kind = TransactionResult::Kind;
  EXPECT_EQ(transact(database(), "one", "x", item("a", 1)).kind, Kind::kCommitted);
  const auto forked = fork(databases());
  EXPECT_EQ(transact(database(), "two", "x", item("a", 2)).kind, Kind::kCommitted);
  EXPECT_EQ(transact(forked->main(), "one", "x", item("a", 9)).kind, Kind::kRepeated);
  EXPECT_EQ(transact(forked->main(), "one", "y", item("a", 9)).kind, Kind::kMismatch);
  EXPECT_EQ(number_of(forked->main(), "a"), 1);
  EXPECT_EQ(transact(forked->main(), "two", "y", item("a", 3)).kind, Kind::kCommitted);
  const auto second = fork(*forked);
  EXPECT_EQ(transact(second->main(), "one", "x", item("a", 9)).kind, Kind::kRepeated);
  EXPECT_EQ(transact(second->main(), "two", "y", item("a", 9)).kind, Kind::kRepeated);
  EXPECT_EQ(transact(database(), "two", "x", item("a", 9)).kind, Kind::kRepeated);
  clock_.advance(std::chrono::minutes(11));
  EXPECT_EQ(transact(second->main(), "one", "x", item("a", 4)).kind, Kind::kCommitted);
}

TEST_P(ForkTest, ItemsExpireInEach) {
  const TablePtr table = database().create_table(full_schema());
  enable_time_to_live(database(), "t", "n");
  database().settle();
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(clock_.now().time_since_epoch()).count();
  put(database(), database().find_table("t"),
      make_item({{"pk", "soon"}, {"sk", 1}, {"n", static_cast<std::int64_t>(now) + 3'600}}));
  put(database(), database().find_table("t"),
      make_item({{"pk", "later"}, {"sk", 1}, {"n", static_cast<std::int64_t>(now) + 36'000}}));
  const auto forked = fork(databases());
  Database& child = forked->main();
  clock_.advance(hours(2));
  child.settle();
  EXPECT_EQ(number_of(child, "soon"), -1);
  EXPECT_NE(number_of(child, "later"), -1);
  expect_consistent(child, "t");
  expect_stream_tells_all(child);
}

TEST_P(ForkTest, StreamsGoOnWithAscendingNumbers) {
  const TablePtr table = database().create_table(full_schema());
  put(database(), table, item("a", 1));
  const auto forked = fork(databases());
  Database& child = forked->main();
  const auto end = [](Database& of) { return of.list_streams("t", "", 1).front()->end(); };
  const std::uint64_t before = end(child);
  EXPECT_EQ(before, end(database()));
  put(child, child.find_table("t"), item("a", 2));
  EXPECT_GT(end(child), before);
  EXPECT_EQ(end(database()), before);
  clock_.advance(hours(5));
  child.settle();
  put(child, child.find_table("t"), item("b", 2));
  expect_stream_tells_all(child);
  expect_stream_tells_all(database());
}

// Writers move amounts between items by transactions, while forks are taken, some of forks: each
// must be a whole, and stay as it is.
TEST_P(ForkTest, EachIsOfOneMoment) {
  constexpr int kItems = 16;
  const TablePtr table = database().create_table(full_schema());
  const auto name = [](int i) { return "k" + std::to_string(i); };
  for (int i = 0; i < kItems; ++i) put(database(), table, item(name(i), 100));
  std::atomic<bool> done = false;
  std::atomic<int> moved = 0;
  const auto move = [&](unsigned seed) {
    std::mt19937 random(seed);
    while (!done) {
      const int from = static_cast<int>(random() % kItems);
      const int to = (from + 1 + static_cast<int>(random() % (kItems - 1))) % kItems;
      const auto add = [&](int i, int amount) {
        return [&, i, amount](const StoredItem& old) {
          const auto n = static_cast<int>(*old.view().find("n").number().to_integer());
          return WriteDecision::put(item(name(i), n + amount));
        };
      };
      const auto take = add(from, -1);
      const auto give = add(to, +1);
      const std::vector<ItemWrite> writes{
          {table, item_key(table->schema, item(name(from), 0)), take},
          {table, item_key(table->schema, item(name(to), 0)), give}};
      const auto no_hash = [] { return std::uint64_t{0}; };
      const auto receipt = [](std::span<const WriteOutcome>) { return std::string("done"); };
      const std::string token = std::to_string(seed) + "/" + std::to_string(moved++);
      const ClientToken client{token, {digest_of(token), no_hash}, receipt};
      database().transact({writes, &client});
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 3; ++t) threads.emplace_back(move, t);
  std::vector<std::unique_ptr<Databases>> forks;
  for (int i = 0; i < 40; ++i) {
    Databases& from = i % 4 == 3 ? *forks.back() : databases();
    forks.push_back(fork(from));
    Database& child = forks.back()->main();
    if (i % 3 == 0) put(child, child.find_table("t"), item(name(i % kItems), 100));
    if (forks.size() > 8) forks.erase(forks.begin() + i % 5);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (int i = 0; i < 8; ++i) forks.push_back(fork(databases()));
  done = true;
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = forks.size() - 8; i < forks.size(); ++i) {
    Database& child = forks[i]->main();
    int sum = 0;
    for (int k = 0; k < kItems; ++k) sum += number_of(child, name(k));
    EXPECT_EQ(sum, 100 * kItems);
  }
  for (const auto& one : forks) {
    expect_consistent(one->main(), "t");
    expect_stream_tells_all(one->main());
  }
  expect_consistent(database(), "t");
  EXPECT_GT(moved, 0);
}

TEST_P(ForkTest, RefusesWhatIsMoreThanItMayKeep) {
  const TablePtr table = database().create_table(table_schema("t"));
  put(database(), table, item("a", 1));
  database().settle();
  options_.fork_memory = 1 << 20;
  const auto forked = fork(databases());
  Database& child = forked->main();
  const TablePtr own = child.find_table("t");
  const auto large = [](int i) {
    return make_item(
        {{"pk", "large" + std::to_string(i)}, {"sk", 1}, {"v", std::string(10'000, 'x')}});
  };
  int written = 0;
  EXPECT_THROW(
      {
        for (; written < 1'000; ++written) put(child, own, large(written));
      },
      MemoryFull);
  EXPECT_GT(written, 10);
  EXPECT_LT(written, 110);
  EXPECT_EQ(number_of(child, "a"), 1);
  put(database(), table, large(0));
  for (int i = 0; i < written; ++i) remove(child, own, large(i));
  child.delete_table("t");
  child.settle();
  const TablePtr again = child.create_table(table_schema("t"));
  put(child, again, large(0));
}

// A deletion frees nothing below the fork, and its record in the stream takes as much as the item.
TEST_P(ForkTest, DeletionsHaveAReserve) {
  const TablePtr table = database().create_table(full_schema());
  const auto large = [](int i) {
    return make_item(
        {{"pk", "large" + std::to_string(i)}, {"sk", 1}, {"v", std::string(10'000, 'x')}});
  };
  constexpr int kItems = 300;
  for (int i = 0; i < kItems; ++i) put(database(), table, large(i));
  database().settle();
  options_.fork_memory = 1 << 20;
  const auto forked = fork(databases());
  Database& child = forked->main();
  const TablePtr own = child.find_table("t");
  EXPECT_THROW(
      {
        for (int i = 1'000; i < 2'000; ++i) put(child, own, large(i));
      },
      MemoryFull);
  int deleted = 0;
  EXPECT_THROW(
      {
        for (; deleted < kItems; ++deleted) remove(child, own, large(deleted));
      },
      MemoryFull);
  EXPECT_GT(deleted, 0);
  EXPECT_LT(deleted, 25);  // a tenth of the megabyte, and the last deletion
  EXPECT_THROW(put(child, own, large(0)), MemoryFull);
}

// However many items there are; a figure, not a bound.
TEST_P(ForkTest, TakesTimeForEachTableAlone) {
  for (int i = 0; i < 100; ++i) database().create_table(full_schema("t" + std::to_string(i)));
  database().settle();
  const auto took = [](const auto& what) {
    const auto begin = std::chrono::steady_clock::now();
    what();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  };
  StoreSnapshotPtr frozen;
  std::vector<std::unique_ptr<Databases>> forks;
  const double freezing = took([&] { frozen = databases().snapshot(); });
  double least = 1e9;
  double dropping = 1e9;
  for (int i = 0; i < 20; ++i) {
    std::unique_ptr<Databases> one;
    least = std::min(least, took([&] { one = Databases::fork(frozen, options_, clock_); }));
    dropping = std::min(dropping, took([&] { one.reset(); }));
  }
  RecordProperty("freezing_ms", std::to_string(freezing));
  RecordProperty("forking_ms", std::to_string(least));
  printf("freeze %.3f ms, fork %.3f ms, drop %.3f ms\n", freezing, least, dropping);
}

}  // namespace
}  // namespace magneto::storage
