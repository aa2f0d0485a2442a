#include "storage/databases.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <thread>

#include "storage/encoding/item_encoding.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

using Names = std::vector<std::string>;

class DatabasesTest : public DatabaseTest {
 protected:
  // The table "t", with one item that says whose it is.
  TablePtr fill(Database& made, const std::string& owner) {
    TableSchema schema = table_schema("t");
    schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("owner")}, {})};
    schema.stream = {true, "NEW_IMAGE", ""};
    const TablePtr table = made.create_table(std::move(schema));
    if (table != nullptr) put(made, table, item_of(owner));
    return table;
  }
  static Item item_of(const std::string& owner) {
    return make_item({{"pk", "a"}, {"sk", 1}, {"owner", owner}});
  }
  static std::string owner_of(Database& read) {
    const TablePtr table = read.find_table("t");
    if (table == nullptr) return "no table";
    const StoredItem item = get(read, table, item_of(""));
    return item ? std::string(item.view().find("owner").scalar_bytes()) : "no item";
  }
  std::string marker() const {
    std::ifstream file(directory_.file("data") + "/MAGNETO");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // The next table is made in the millisecond in which `table` was, as the clock has it.
  void turn_back_to(const Table& table) {
    clock_.advance(std::chrono::milliseconds(table.stream->description().created) -
                   clock_.now().time_since_epoch());
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, DatabasesTest, kEngineKinds, engine_kind_name);

std::ptrdiff_t threads_of_the_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Other tests have ended theirs.
TEST(NewStore, HasNoThreadsBeforeTheFirstTable) {
  const Clock clock;
  const std::ptrdiff_t before = threads_of_the_process();
  const std::unique_ptr<Databases> databases = Databases::open({}, clock);
  EXPECT_EQ(threads_of_the_process(), before);
  databases->main().create_table(table_schema("t"));
  EXPECT_GT(threads_of_the_process(), before);
}

using DurableDatabasesTest = DatabasesTest;
INSTANTIATE_TEST_SUITE_P(Engines, DurableDatabasesTest, testing::Values(EngineKind::kRocksdb),
                         engine_kind_name);

TEST_P(DatabasesTest, TellHowTheyStand) {
  const TablePtr table = fill(databases().main(), "main");
  fill(databases().make("a"), "a");
  databases().make("b").create_table(table_schema("u"));
  databases().main().settle();
  StoreStatistics found = databases().statistics(2);
  EXPECT_EQ(found.table_count, 3U);
  ASSERT_EQ(found.tables.size(), 2U);
  for (const TableStatistics& one : found.tables) {
    EXPECT_EQ(one.name, "t");
    EXPECT_EQ(one.items, 1);
    EXPECT_GT(one.bytes, 0);
    ASSERT_EQ(one.indexes.size(), 1U);
    EXPECT_EQ(one.indexes.front().name, "g");
    EXPECT_EQ(one.indexes.front().items, 1);
    ASSERT_TRUE(one.indexes.front().lag);
    EXPECT_EQ(one.indexes.front().lag->changes, 0U);
    EXPECT_EQ(one.indexes.front().lag->time.count(), 0);
    ASSERT_TRUE(one.stream_lag);
  }
  ASSERT_TRUE(found.other_tables);
  EXPECT_EQ(found.other_tables->items, 0);
  EXPECT_EQ(found.engine.disk.has_value(), is_durable());
  EXPECT_EQ(found.engine.cache.has_value(), is_durable());
  EXPECT_EQ(found.transaction_conflicts, 0U);
  found = databases().statistics(0);
  ASSERT_TRUE(found.other_tables);
  EXPECT_EQ(found.other_tables->items, 2);
  ASSERT_EQ(found.other_tables->indexes.size(), 1U);
  EXPECT_EQ(found.other_tables->indexes.front().items, 2);
  EXPECT_EQ(databases().describe_refusal(), "");
}

// A second record makes a reader that was given the first one lag by the time between them.
TEST_P(DatabasesTest, TellHowFarReadersOfStreamsAreBehind) {
  const TablePtr table = fill(databases().main(), "main");
  const auto lag = [this] { return *databases().statistics(1).tables.front().stream_lag; };
  const StreamSchema stream = table->stream->schema();
  for (const StreamShard& shard : stream.shards) {
    table->stream->record_read(shard.number, table->stream->end());
  }
  EXPECT_EQ(lag().count(), 0);
  clock_.advance(std::chrono::seconds(90));
  put(databases().main(), table, item_of("other"));
  EXPECT_GE(lag(), std::chrono::seconds(89));
  clock_.advance(std::chrono::hours(1));
  EXPECT_LT(lag(), std::chrono::seconds(100));
  table->stream->record_read(99, 1);  // there is no such shard
  for (const StreamShard& shard : stream.shards) {
    table->stream->record_read(shard.number, table->stream->end());
  }
  EXPECT_EQ(lag().count(), 0);
}

TEST_P(DatabasesTest, AreMadeOnceAndFoundByTheirNames) {
  EXPECT_EQ(databases().find("a"), nullptr);
  EXPECT_EQ(databases().find(""), nullptr);
  EXPECT_EQ(databases().count(), 0U);
  Database& a = databases().make("a");
  Database& b = databases().make("b");
  EXPECT_EQ(&databases().make("a"), &a);
  EXPECT_EQ(databases().find("a"), &a);
  EXPECT_EQ(databases().find("b"), &b);
  EXPECT_EQ(databases().find("ab"), nullptr);
  EXPECT_EQ(databases().count(), 2U);
  EXPECT_EQ(a.name(), "a");
  EXPECT_NE(a.number(), b.number());
  EXPECT_EQ(databases().main().number(), 0U);
  EXPECT_THROW(databases().make(std::string(Databases::kMaxNameSize + 1, 'x')), std::length_error);
  const std::string longest(Databases::kMaxNameSize, 'x');
  Database& made = databases().make(longest);
  EXPECT_EQ(databases().find(longest), &made);
}

TEST_P(DatabasesTest, TablesOfOneNameAreApart) {
  Database& a = databases().make("a");
  Database& b = databases().make("b");
  ASSERT_NE(fill(database(), "main"), nullptr);
  ASSERT_NE(fill(a, "a"), nullptr);
  ASSERT_NE(fill(b, "b"), nullptr);
  EXPECT_EQ(fill(a, "again"), nullptr);
  a.create_table(table_schema("only-a"));
  EXPECT_EQ(owner_of(database()), "main");
  EXPECT_EQ(owner_of(a), "a");
  EXPECT_EQ(owner_of(b), "b");
  EXPECT_EQ(a.list_tables("", 10), (Names{"only-a", "t"}));
  EXPECT_EQ(a.list_tables("only-a", 10), (Names{"t"}));
  EXPECT_EQ(b.list_tables("", 10), (Names{"t"}));
  EXPECT_EQ(database().list_tables("", 10), (Names{"t"}));
  EXPECT_EQ(a.table_count(), 2U);
  for (Database* each : {&database(), &a, &b}) expect_consistent(*each, "t");

  b.update_table("t", [](TableSchema& schema) { schema.deletion_protection = true; });
  EXPECT_FALSE(a.find_table("t")->schema.deletion_protection);
  EXPECT_TRUE(b.find_table("t")->schema.deletion_protection);
  EXPECT_NE(a.delete_table("t"), nullptr);
  EXPECT_EQ(a.delete_table("t"), nullptr);
  EXPECT_EQ(a.update_table("t", [](TableSchema&) {}), nullptr);
  database().settle();
  EXPECT_EQ(owner_of(a), "no table");
  EXPECT_EQ(owner_of(b), "b");
  EXPECT_EQ(owner_of(database()), "main");
}

TEST_P(DatabasesTest, TheEmptyOneHasNothingAndTakesNothing) {
  fill(database(), "main");
  Database& empty = databases().empty();
  EXPECT_EQ(empty.find_table("t"), nullptr);
  EXPECT_EQ(empty.list_tables("", 10), Names());
  EXPECT_EQ(empty.table_count(), 0U);
  EXPECT_TRUE(empty.list_streams("", "", 10).empty());
  EXPECT_EQ(empty.find_stream(database().find_table("t")->stream->arn()), nullptr);
  EXPECT_EQ(empty.delete_table("t"), nullptr);
  EXPECT_THROW(empty.create_table(table_schema("t")), std::logic_error);
  EXPECT_EQ(&empty.clock(), &clock_);
}

TEST_P(DatabasesTest, StreamsOfOneArnAreApart) {
  Database& a = databases().make("a");
  const TablePtr first = fill(database(), "main");
  const std::string arn = first->stream->arn();
  for (int i = 0; i < 100; ++i) {
    turn_back_to(*first);
    if (fill(a, "a")->stream->arn() == arn) break;
    a.delete_table("t");
  }
  ASSERT_EQ(a.find_table("t")->stream->arn(), arn);
  const auto mine = database().find_stream(arn);
  const auto other = a.find_stream(arn);
  ASSERT_NE(mine, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_NE(mine, other);
  EXPECT_EQ(database().list_streams("t", "", 1'000), (std::vector{mine}));
  EXPECT_EQ(databases().make("b").find_stream(arn), nullptr);
  a.delete_table("t");
  EXPECT_FALSE(mine->is_closed());
  EXPECT_TRUE(other->is_closed());

  clock_.advance(std::chrono::hours(25));
  database().settle();
  EXPECT_EQ(a.find_stream(arn), nullptr);
  EXPECT_EQ(database().find_stream(arn), mine);
}

TEST_P(DatabasesTest, ClientTokensAreApart) {
  Database& a = databases().make("a");
  const auto no_hash = [] { return std::uint64_t{0}; };
  const auto receipt = [](std::span<const WriteOutcome>) { return std::string("done"); };
  const auto run = [&](Database& in, std::string_view content) {
    const TablePtr table = in.find_table("t");
    const auto decide = [](const StoredItem&) { return WriteDecision::put(item_of("token")); };
    const std::vector<ItemWrite> writes{{table, item_key(table->schema, item_of("")), decide}};
    const ClientToken token{"token", {digest_of(content), no_hash}, receipt};
    return in.transact({writes, &token}).kind;
  };
  using Kind = TransactionResult::Kind;
  fill(database(), "main");
  fill(a, "a");
  EXPECT_EQ(run(database(), "x"), Kind::kCommitted);
  EXPECT_EQ(run(a, "y"), Kind::kCommitted);
  EXPECT_EQ(run(database(), "x"), Kind::kRepeated);
  EXPECT_EQ(run(a, "y"), Kind::kRepeated);
  EXPECT_EQ(run(a, "x"), Kind::kMismatch);
  if (!is_durable()) return;
  reopen();
  EXPECT_EQ(run(*databases().find("a"), "y"), Kind::kRepeated);
  EXPECT_EQ(run(database(), "y"), Kind::kMismatch);
}

TEST_P(DatabasesTest, TellsWhichHaveATable) {
  Database& a = databases().make("a");
  Database& b = databases().make("b");
  databases().make("c");
  fill(database(), "main");
  fill(a, "a");
  fill(b, "b");
  const auto with = [&](std::string_view table, const Database& except, std::size_t limit) {
    std::set<std::string> names;
    for (const Database* each : databases().with_table(table, except, limit)) {
      names.insert(each->name());
    }
    return names;
  };
  EXPECT_EQ(with("t", databases().empty(), 10), (std::set<std::string>{"", "a", "b"}));
  EXPECT_EQ(with("t", a, 10), (std::set<std::string>{"", "b"}));
  EXPECT_EQ(with("t", databases().main(), 1).size(), 1U);
  EXPECT_TRUE(with("u", a, 10).empty());
}

TEST_P(DatabasesTest, ThereIsABound) {
  for (std::size_t i = 0; i < Databases::kMaxDatabases; ++i) {
    databases().make("n" + std::to_string(i));
  }
  EXPECT_EQ(databases().count(), Databases::kMaxDatabases);
  EXPECT_THROW(databases().make("one more"), TooManyDatabases);
  EXPECT_EQ(databases().find("one more"), nullptr);
  EXPECT_EQ(databases().make("n77").name(), "n77");
  fill(databases().make("n9999"), "last");
  EXPECT_EQ(owner_of(*databases().find("n9999")), "last");
  if (!is_durable()) return;
  // Databases without tables are forgotten at the next start.
  reopen();
  EXPECT_EQ(databases().count(), 1U);
  EXPECT_EQ(owner_of(*databases().find("n9999")), "last");
  EXPECT_EQ(databases().find("n77"), nullptr);
  EXPECT_GT(databases().make("one more").number(), Databases::kMaxDatabases);
}

TEST_P(DatabasesTest, AreFoundWhileOthersAreMade) {
  constexpr int kMakers = 4;
  constexpr int kEach = 100;
  databases();
  std::atomic<int> made[kMakers]{};
  const auto name_of = [](int maker, int i) {
    return std::to_string(i) + "/" + std::to_string(maker % 2);
  };
  {
    std::vector<std::jthread> makers;
    for (int maker = 0; maker < kMakers; ++maker) {
      makers.emplace_back([&, maker] {
        for (int i = 0; i < kEach; ++i) {
          Database& mine = databases().make(name_of(maker, i));
          mine.create_table(table_schema("t" + std::to_string(maker)));
          made[maker] = i + 1;
        }
      });
    }
    std::jthread reader([&] {
      for (int maker = 0, turn = 0; turn < 20'000; ++turn, maker = (maker + 1) % kMakers) {
        const int known = made[maker];
        if (known == 0) continue;
        const std::string name = name_of(maker, turn % known);
        Database* const found = databases().find(name);
        if (found == nullptr || found->name() != name) {
          ADD_FAILURE() << name;
        } else {
          EXPECT_NE(found->find_table("t" + std::to_string(maker)), nullptr);
        }
      }
    });
  }
  // Two made each name.
  EXPECT_EQ(databases().count(), std::size_t{2 * kEach});
  EXPECT_EQ(databases().find(name_of(0, 7))->list_tables("", 10), (Names{"t0", "t2"}));
}

TEST_P(DurableDatabasesTest, SurviveARestart) {
  fill(database(), "main");
  Database& a = databases().make("a/eu");
  fill(a, "a");
  fill(databases().make("b"), "b");
  a.create_table(table_schema("u"));
  const std::string arn = a.find_table("t")->stream->arn();
  reopen();
  EXPECT_EQ(databases().count(), 2U);
  Database& again = *databases().find("a/eu");
  EXPECT_EQ(again.list_tables("", 10), (Names{"t", "u"}));
  EXPECT_EQ(owner_of(again), "a");
  EXPECT_EQ(owner_of(*databases().find("b")), "b");
  EXPECT_EQ(owner_of(database()), "main");
  EXPECT_EQ(database().list_tables("", 10), (Names{"t"}));
  ASSERT_NE(again.find_table("t")->stream, nullptr);
  EXPECT_EQ(again.find_table("t")->stream->arn(), arn);
  EXPECT_NE(again.find_table("t")->stream, database().find_stream(arn));
  for (Database* each : {&database(), &again}) expect_consistent(*each, "t");

  // Statuses and streams are kept up under the same keys.
  again.update_table("t", [](TableSchema& schema) { schema.stream.enabled = false; });
  again.delete_table("u");
  reopen();
  EXPECT_EQ(databases().find("a/eu")->list_tables("", 10), (Names{"t"}));
  EXPECT_TRUE(databases().find("a/eu")->find_stream(arn)->is_closed());
  EXPECT_FALSE(database().find_table("t")->stream->is_closed());
}

TEST_P(DurableDatabasesTest, AnUnusedOneGoesAtARestartAndAStreamKeepsOne) {
  fill(databases().make("deleted"), "a");
  databases().make("unused");
  databases().find("deleted")->delete_table("t");
  const std::uint32_t last = databases().find("unused")->number();
  reopen();
  EXPECT_EQ(databases().find("unused"), nullptr);
  ASSERT_NE(databases().find("deleted"), nullptr);
  EXPECT_EQ(databases().find("deleted")->list_streams("", "", 10).size(), 1U);
  clock_.advance(std::chrono::hours(25));
  database().settle();
  reopen();
  EXPECT_EQ(databases().count(), 0U);
  EXPECT_GT(databases().make("unused").number(), last);
}

TEST_P(DurableDatabasesTest, OldVersionsRefuseADirectoryOnlyOnceThereAreOthers) {
  fill(database(), "main");
  EXPECT_EQ(marker(), "magneto data directory\nformat 3\n");
  reopen();
  EXPECT_EQ(marker(), "magneto data directory\nformat 3\n");
  databases().make("a");
  EXPECT_EQ(marker(), "magneto data directory\nformat 4\n");
  reopen();
  EXPECT_EQ(owner_of(database()), "main");
  EXPECT_EQ(marker(), "magneto data directory\nformat 4\n");
}

TEST_P(DurableDatabasesTest, WhatCannotBeStoredIsNotMade) {
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  open_with(faults);
  faults->commits = true;
  EXPECT_THROW(databases().make("a"), EngineError);
  EXPECT_EQ(databases().find("a"), nullptr);
  EXPECT_EQ(databases().count(), 0U);
  faults->commits = false;
  EXPECT_EQ(databases().make("a").name(), "a");
}

}  // namespace
}  // namespace magneto::storage
