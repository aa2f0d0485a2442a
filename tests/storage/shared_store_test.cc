#include "tests/storage/shared_store.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/databases.h"
#include "storage/model/narrow.h"
#include "storage/stream/stream_log.h"
#include "tests/storage/database_fixture.h"

// Several stores over one engine, as servers over one database: what one of them decides on may be
// changed by another before it commits.
namespace magneto::storage {
namespace {

constexpr int kThreads = 4;

class SharedStoreServersTest : public testing::Test {
 protected:
  std::unique_ptr<Databases> open() { return Databases::open({}, clock_, store_.open()); }
  Database& first() { return first_->main(); }
  Database& second() { return second_->main(); }

  static bool set_protection(Database& database, const std::string& table, bool value) {
    return database.update_table(
               table, [&](TableSchema& schema) { schema.deletion_protection = value; }) != nullptr;
  }
  static bool enable_stream(Database& database, const std::string& table) {
    return database.update_table(table, [](TableSchema& schema) {
      schema.stream = {true, "NEW_IMAGE", ""};
    }) != nullptr;
  }
  static std::string arn_of_stream(Database& database, const std::string& table) {
    const TablePtr found = database.find_table(table);
    return found == nullptr || found->stream == nullptr ? "" : found->stream->arn();
  }

  // Runs `call` in threads, half of which use the first server.
  void run_on_both(const std::function<void(Database& database, int thread)>& call) {
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] { call(i % 2 == 0 ? first() : second(), i); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  Clock clock_;
  SharedStore store_;
  std::unique_ptr<Databases> first_ = open();
  std::unique_ptr<Databases> second_ = open();
};

// ---- tables ---------------------------------------------------------------------------------------

TEST_F(SharedStoreServersTest, ANameThatAnotherServerTookIsTaken) {
  const TablePtr table = first().create_table(table_schema("t"));
  EXPECT_EQ(second().create_table(table_schema("t")), nullptr);
  const TablePtr found = second().find_table("t");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->schema.number, table->schema.number);
  EXPECT_EQ(found->schema.id, table->schema.id);
}

TEST_F(SharedStoreServersTest, ANameThatIsTakenJustBeforeTheCommitIsTaken) {
  store_.before_commit([&] { second().create_table(table_schema("t")); });
  EXPECT_EQ(first().create_table(table_schema("t")), nullptr);
  store_.join();
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_EQ(first().find_table("t")->schema.id, second().find_table("t")->schema.id);
}

TEST_F(SharedStoreServersTest, NumbersAreAssignedOnce) {
  constexpr int kTables = 25;
  run_on_both([](Database& database, int thread) {
    for (int i = 0; i < kTables; ++i) {
      TableSchema schema = table_schema("t" + std::to_string(thread * kTables + i));
      schema.stream = {true, "NEW_IMAGE", ""};
      EXPECT_NE(database.create_table(std::move(schema)), nullptr);
    }
  });
  const std::unique_ptr<Databases> third = open();
  std::set<std::uint32_t> tables;
  std::set<std::uint32_t> streams;
  for (const std::string& name : third->main().list_tables("", 1000)) {
    const TablePtr table = third->main().find_table(name);
    tables.insert(table->schema.number);
    streams.insert(table->stream->description().number);
  }
  EXPECT_EQ(tables.size(), kThreads * kTables);
  EXPECT_EQ(streams.size(), kThreads * kTables);
}

TEST_F(SharedStoreServersTest, ChangesOfBothServersAreKept) {
  first().create_table(table_schema("t"));
  store_.before_commit([&] { EXPECT_TRUE(enable_stream(second(), "t")); });
  EXPECT_TRUE(set_protection(first(), "t", true));
  store_.join();
  EXPECT_EQ(store_.conflicts(), 1);
  const TablePtr table = first().find_table("t");
  EXPECT_TRUE(table->schema.deletion_protection);
  EXPECT_EQ(table->stream->arn(), arn_of_stream(second(), "t"));

  EXPECT_TRUE(set_protection(second(), "t", false));
  EXPECT_FALSE(open()->main().find_table("t")->schema.deletion_protection);
  EXPECT_NE(second().find_table("t")->stream, nullptr);
}

TEST_F(SharedStoreServersTest, IndexesOfBothServersHaveNumbersOfTheirOwn) {
  first().create_table(table_schema("t"));
  const auto add = [](Database& database, const std::string& name) {
    database.update_table("t", [&](TableSchema& schema) {
      schema.indexes.push_back(index_schema(name, IndexKind::kGlobal, {string_key("g")}, {}));
    });
  };
  store_.before_commit([&] { add(second(), "b"); });
  add(first(), "a");
  store_.join();
  const TablePtr table = first().find_table("t");
  ASSERT_EQ(table->indexes.size(), 2U);
  EXPECT_NE(table->indexes[0]->schema.number, table->indexes[1]->schema.number);
}

TEST_F(SharedStoreServersTest, ATableThatAnotherServerDeletedIsGone) {
  first().create_table(table_schema("t"));
  const TablePtr held = first().find_table("t");
  store_.before_commit([&] { EXPECT_NE(second().delete_table("t"), nullptr); });
  EXPECT_FALSE(set_protection(first(), "t", true));
  store_.join();
  EXPECT_EQ(first().find_table("t"), nullptr);
  EXPECT_THROW(put(first(), held, make_item({{"pk", "a"}, {"sk", 1}})), TableGone);
  EXPECT_EQ(first().delete_table("t"), nullptr);
}

TEST_F(SharedStoreServersTest, ATableThatAnotherServerMadeAnewIsAnother) {
  const TablePtr old = first().create_table(table_schema("t"));
  put(first(), old, make_item({{"pk", "a"}, {"sk", 1}}));
  second().delete_table("t");
  const TablePtr made = second().create_table(table_schema("t"));
  EXPECT_TRUE(set_protection(first(), "t", true));
  const TablePtr found = first().find_table("t");
  EXPECT_EQ(found->schema.number, made->schema.number);
  EXPECT_NE(found->schema.number, old->schema.number);
  EXPECT_TRUE(contents(first(), *found, nullptr).empty());
  EXPECT_TRUE(old->superseded);
}

// erase() asks again whether it may.
TEST_F(SharedStoreServersTest, AProtectionThatComesJustBeforeADeletionHolds) {
  first().create_table(table_schema("t"));
  const auto check = [](const TableSchema& schema) {
    if (schema.deletion_protection) throw std::runtime_error("protected");
  };
  store_.before_commit([&] { set_protection(second(), "t", true); });
  EXPECT_THROW(first().delete_table("t", check), std::runtime_error);
  store_.join();
  EXPECT_TRUE(first().find_table("t")->schema.deletion_protection);
}

// ---- databases, backups and streams ----------------------------------------------------------------

TEST_F(SharedStoreServersTest, ADatabaseIsMadeOnce) {
  std::uint32_t number = 0;
  store_.before_commit([&] {
    second_->make("a");
    number = second_->make("b").number();
  });
  const std::uint32_t made = first_->make("b").number();
  store_.join();
  EXPECT_EQ(made, number);
  EXPECT_EQ(first_->find("a")->number(), second_->find("a")->number());
  EXPECT_EQ(first_->make("c").number(), number + 1);
  EXPECT_EQ(second_->make("d").number(), number + 2);
}

// The start takes over an announcement from before it.
TEST_F(SharedStoreServersTest, AServerStartsAfterAnAnnouncement) {
  std::unique_ptr<Engine> engine = store_.open();
  first_->make("made");
  const std::unique_ptr<Databases> third = Databases::open({}, clock_, std::move(engine));
  EXPECT_NE(third->find("made"), nullptr);
}

TEST_F(SharedStoreServersTest, ABackupAndATableHaveNumbersOfTheirOwn) {
  const TablePtr table = first().create_table(table_schema("t"));
  TablePtr other;
  store_.before_commit([&] { other = second().create_table(table_schema("u")); });
  const BackupResult made = first().create_backup(table, "backup");
  store_.join();
  ASSERT_EQ(made.outcome, BackupOutcome::kDone);
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_NE(made.backup->schema->number, other->schema.number);
}

TEST_F(SharedStoreServersTest, ABackupThatAnotherServerDeletedIsGone) {
  const TablePtr table = first().create_table(table_schema("t"));
  const std::string arn = first().create_backup(table, "backup").backup->schema->arn();
  first().settle();
  const std::unique_ptr<Databases> third = open();
  EXPECT_EQ(third->main().delete_backup(arn).outcome, BackupOutcome::kDone);
  EXPECT_EQ(first().delete_backup(arn).outcome, BackupOutcome::kNoBackup);
  EXPECT_EQ(first().find_backup(arn), nullptr);
}

// No record had come into the new shards: a split is made known ahead of its time.
TEST_F(SharedStoreServersTest, ASplitThatAnotherServerPlannedEndsWithTheStream) {
  TableSchema schema = table_schema("t");
  schema.stream = {true, "NEW_IMAGE", ""};
  const StreamPtr mine = first().create_table(std::move(schema))->stream;
  const StreamPtr other = second().find_table("t")->stream;
  const std::size_t open_shards = mine->schema().shards.size();
  store_.before_commit([&] { other->split(2 * narrow<std::uint32_t>(open_shards)); });
  mine->close();
  store_.join();
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_EQ(mine->schema().shards.size(), open_shards);
  EXPECT_TRUE(mine->is_closed());
  other->split(8 * narrow<std::uint32_t>(open_shards));  // does nothing: the stream is closed
  const std::unique_ptr<Databases> third = open();
  const auto stored = third->main().find_stream(mine->arn());
  EXPECT_EQ(stored->schema().shards.size(), open_shards);
  EXPECT_TRUE(stored->is_closed());
}

// ---- items ------------------------------------------------------------------------------------------

Item counter(int value) { return make_item({{"pk", "a"}, {"sk", 1}, {"v", value}}); }

std::int64_t value_of(const StoredItem& item) {
  return item ? *item.view().find("v").number().to_integer() : 0;
}

void increment(Database& database, const TablePtr& table) {
  database.write({.table = table,
                  .key = item_key(table->schema, counter(0)),
                  .decide = [](const StoredItem& item) {
                    return WriteDecision::put(counter(static_cast<int>(value_of(item)) + 1));
                  }});
}

TEST_F(SharedStoreServersTest, AnIncrementIsDecidedAgainAfterAConflict) {
  const TablePtr table = first().create_table(table_schema("t"));
  store_.before_commit([&] { increment(second(), second().find_table("t")); });
  increment(first(), table);
  store_.join();
  EXPECT_EQ(store_.conflicts(), 1);
  EXPECT_EQ(value_of(get(first(), table, counter(0))), 2);
}

// The test above notices when versions are not compared.
TEST(BrokenSharedStoreTest, LosesAnIncrement) {
  Clock clock;
  SharedStore store(SharedStore::Fault::kOverlooksConflicts);
  const auto first = Databases::open({}, clock, store.open());
  const auto second = Databases::open({}, clock, store.open());
  const TablePtr table = first->main().create_table(table_schema("t"));
  EXPECT_EQ(second->main().create_table(table_schema("t")), nullptr);
  store.before_commit([&] { increment(second->main(), second->main().find_table("t")); });
  increment(first->main(), table);
  store.join();
  EXPECT_EQ(value_of(get(first->main(), table, counter(0))), 1);
}

TEST_F(SharedStoreServersTest, IncrementsOfBothServersCount) {
  constexpr int kIncrements = 200;
  TableSchema schema = table_schema("t");
  schema.indexes = {index_schema("l", IndexKind::kLocal, {string_key("pk")}, {number_key("v")})};
  first().create_table(std::move(schema));
  run_on_both([](Database& database, int) {
    const TablePtr table = database.find_table("t");
    for (int i = 0; i < kIncrements; ++i) increment(database, table);
  });
  const TablePtr table = first().find_table("t");
  EXPECT_EQ(value_of(get(first(), table, counter(0))), kThreads * kIncrements);
  EXPECT_EQ(contents(first(), *table, table->indexes[0].get()).size(), 1U);
}

// Transfers of both servers, with reads of all accounts among them.
TEST_F(SharedStoreServersTest, TransactionsKeepTheSum) {
  constexpr int kAccounts = 4;
  constexpr int kBalance = 1'000;
  constexpr int kTransfers = 150;
  const auto account = [](int number, std::int64_t balance) {
    return make_item({{"pk", "a" + std::to_string(number)}, {"sk", 1}, {"v", balance}});
  };
  const TablePtr made = first().create_table(table_schema("t"));
  for (int i = 0; i < kAccounts; ++i) put(first(), made, account(i, kBalance));
  run_on_both([&](Database& database, int thread) {
    std::mt19937 random(static_cast<std::mt19937::result_type>(thread));
    const TablePtr table = database.find_table("t");
    for (int i = 0; i < kTransfers; ++i) {
      const int from = static_cast<int>(random() % kAccounts);
      const int to = (from + 1 + static_cast<int>(random() % (kAccounts - 1))) % kAccounts;
      const auto change = [&](int number, std::int64_t by) {
        return [&account, number, by](const StoredItem& item) {
          return WriteDecision::put(account(number, value_of(item) + by));
        };
      };
      const auto take = change(from, -1);
      const auto give = change(to, 1);
      const std::vector<ItemWrite> writes = {
          {.table = table, .key = item_key(table->schema, account(from, 0)), .decide = take},
          {.table = table, .key = item_key(table->schema, account(to, 0)), .decide = give}};
      while (database.transact({.writes = writes}).kind != TransactionResult::Kind::kCommitted) {
        std::this_thread::yield();
      }
    }
  });
  std::int64_t sum = 0;
  for (int i = 0; i < kAccounts; ++i) sum += value_of(get(second(), made, account(i, 0)));
  EXPECT_EQ(sum, kAccounts * kBalance);
}

}  // namespace
}  // namespace magneto::storage
