#include "storage/engine/postgres/postgres_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/postgres/postgres_connection.h"
#include "storage/model/effort.h"
#include "tests/support/postgres_server.h"

// The promises of the engine over PostgreSQL besides the contract of all engines.
namespace magneto::storage {
namespace {

class PostgresEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    static int number = 0;
    schema_ = "engine" + std::to_string(++number);
  }

  PostgresOptions options() {
    return {.url = PostgresServer::shared().url(),
            .schema = schema_,
            .connections = 8,
            .on_lost = [this] { ++losses_; }};
  }
  std::unique_ptr<Engine> open() { return open_postgres_engine(options()); }
  // By a connection of its own.
  static void execute(const std::string& text) {
    PostgresConnection(StoreAddress(PostgresServer::shared().url())).execute(text);
  }
  // Does in the database what a standby does when it takes over.
  void take_over() {
    execute("BEGIN; UPDATE " + schema_ + ".fence SET epoch = epoch + 1 WHERE id = 1; DELETE FROM " +
            schema_ + ".fence WHERE id <> 1; COMMIT");
  }
  static void put(Engine& engine, const TreePtr& tree, const std::string& key,
                  const std::string& value) {
    WriteBatch batch;
    batch.put(tree, key, value);
    engine.commit(batch);
  }

  std::string schema_;
  std::atomic<int> losses_{0};
};

// Adds one to counters until `is_over`, and returns how often.
std::int64_t count_up(Engine& engine, const TreePtr& tree, unsigned seed,
                      const std::function<bool()>& is_over) {
  std::mt19937 random(seed);
  std::int64_t count = 0;
  while (!is_over()) {
    const std::string key = "t" + std::to_string(random() % 20);
    const WriteScopePtr scope = engine.begin(key);
    const PinnedValue old = scope->get(*tree, key);
    std::string value;
    append_uint64(value, (old ? read_uint64(old.bytes()) : 0) + 1);
    WriteBatch batch;
    batch.put(tree, key, std::move(value));
    EXPECT_EQ(scope->commit(batch), CommitResult::kCommitted);
    ++count;
  }
  return count;
}

std::int64_t sum(const Reader& reader, const Tree& tree) {
  std::int64_t sum = 0;
  const auto cursor = reader.scan(tree, {}, {}, Direction::kForward);
  while (cursor->next()) sum += static_cast<std::int64_t>(read_uint64(cursor->value()));
  return sum;
}

TEST_F(PostgresEngineTest, LeavesIoThreadsBeforeItWaitsForTheDatabase) {
  const auto engine = open();
  const TreePtr tree = engine->open_tree(ColumnFamily::kItems, "t");
  put(*engine, tree, "t1", "v");
  {
    const Effort io_thread(1'000'000);
    EXPECT_THROW(engine->get(*tree, "t1"), NeedsWorker);
    EXPECT_THROW(engine->scan(*tree, {}, {}, Direction::kForward)->next(), NeedsWorker);
    EXPECT_THROW(engine->snapshot(), NeedsWorker);
    EXPECT_THROW(put(*engine, tree, "t2", "v"), NeedsWorker);
  }
  EXPECT_EQ(engine->get(*tree, "t1").bytes(), "v");
  EXPECT_FALSE(engine->get(*tree, "t2"));
}

TEST_F(PostgresEngineTest, ABatchThatTheDatabaseRefusesFailsAlone) {
  const auto engine = open();
  const TreePtr tree = engine->open_tree(ColumnFamily::kItems, "t");
  execute("ALTER TABLE " + schema_ + ".items ADD CHECK (v <> 'bad')");
  constexpr int kWriters = 16;
  constexpr int kRounds = 40;
  std::atomic<int> refused{0};
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (int round = 0; round < kRounds; ++round) {
        const std::string key = "t" + std::to_string(writer) + "/" + std::to_string(round);
        const bool is_bad = (writer + round) % 5 == 0;
        try {
          put(*engine, tree, key, is_bad ? "bad" : "good");
          EXPECT_FALSE(is_bad) << key;
        } catch (const EngineError&) {
          EXPECT_TRUE(is_bad) << key;
          ++refused;
        }
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(refused, kWriters * kRounds / 5);
  int left = 0;
  const auto cursor = engine->scan(*tree, {}, {}, Direction::kForward);
  while (cursor->next()) ++left;
  EXPECT_EQ(left, kWriters * kRounds * 4 / 5);
  EXPECT_EQ(losses_, 0);
}

// Whether a commit took place is found out when its connection is lost: nothing is counted twice,
// and nothing that was acknowledged is missing.
TEST_F(PostgresEngineTest, CountsExactlyWhileConnectionsAreTerminated) {
  const auto engine = open();
  const TreePtr tree = engine->open_tree(ColumnFamily::kItems, "t");
  std::atomic<bool> is_over{false};
  std::atomic<std::int64_t> counted{0};
  std::vector<std::thread> writers;
  for (unsigned seed = 0; seed < 6; ++seed) {
    writers.emplace_back(
        [&, seed] { counted += count_up(*engine, tree, seed, [&] { return is_over.load(); }); });
  }
  for (int round = 0; round < 60; ++round) {
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'magneto' AND random() < 0.5");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  is_over = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_GT(counted, 0);
  EXPECT_EQ(sum(*engine, *tree), counted);
  EXPECT_EQ(losses_, 0);
}

TEST_F(PostgresEngineTest, GoesOnAfterTheDatabaseWasKilled) {
  PostgresServer server;
  PostgresOptions own = options();
  own.url = server.url();
  const auto engine = open_postgres_engine(own);
  const TreePtr tree = engine->open_tree(ColumnFamily::kItems, "t");
  std::atomic<bool> is_over{false};
  std::atomic<std::int64_t> counted{0};
  std::vector<std::thread> writers;
  for (unsigned seed = 0; seed < 6; ++seed) {
    writers.emplace_back(
        [&, seed] { counted += count_up(*engine, tree, seed, [&] { return is_over.load(); }); });
  }
  for (int round = 0; round < 3; ++round) {
    server.kill();
    server.start();
  }
  is_over = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(sum(*engine, *tree), counted);
  EXPECT_EQ(losses_, 0);
}

TEST_F(PostgresEngineTest, ASnapshotWhoseConnectionIsLostSaysSo) {
  const auto engine = open();
  const TreePtr tree = engine->open_tree(ColumnFamily::kItems, "t");
  const SnapshotPtr snapshot = engine->snapshot();
  execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%" +
      schema_ + ".%'");
  EXPECT_THROW(snapshot->get(*tree, "t1"), EngineError);
  EXPECT_THROW(snapshot->get(*tree, "t1"), EngineError);
  EXPECT_FALSE(engine->get(*tree, "t1"));
}

TEST_F(PostgresEngineTest, SnapshotsAreLimited) {
  const auto engine = open();
  std::vector<SnapshotPtr> held;
  for (int i = 0; i < kMaxPostgresSnapshots; ++i) held.push_back(engine->snapshot());
  EXPECT_THROW(engine->snapshot(), EngineError);
  held.pop_back();
  EXPECT_NE(engine->snapshot(), nullptr);
}

// ---- the lease -----------------------------------------------------------------------------------

TEST_F(PostgresEngineTest, ADeposedEngineCannotWriteAndSaysSoOnce) {
  const auto engine = open();
  const TreePtr tree = engine->open_tree(ColumnFamily::kItems, "t");
  put(*engine, tree, "t1", "before");
  take_over();
  EXPECT_THROW(put(*engine, tree, "t1", "after"), StoreTaken);
  EXPECT_THROW(engine->clear(*tree), StoreTaken);
  EXPECT_EQ(engine->get(*tree, "t1").bytes(), "before");
  while (losses_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(engine->describe_refusal().empty());
  EXPECT_EQ(losses_, 1);
}

TEST_F(PostgresEngineTest, TheNextServerNeedNotWaitForALeaseThatWasGivenBack) {
  PostgresOptions patient = options();
  patient.lease = std::chrono::hours(1);
  auto first = open_postgres_engine(patient);
  put(*first, first->open_tree(ColumnFamily::kItems, "t"), "t1", "v");
  first.reset();
  const auto second = open_postgres_engine(patient);
  EXPECT_EQ(second->get(*second->open_tree(ColumnFamily::kItems, "t"), "t1").bytes(), "v");
}

TEST_F(PostgresEngineTest, AServerWaitsForTheHolderAndTakesOverWhenItIsGone) {
  PostgresOptions of_first = options();
  of_first.own_address = "first:8000";
  auto first = open_postgres_engine(of_first);
  put(*first, first->open_tree(ColumnFamily::kItems, "t"), "t1", "v");
  std::atomic<bool> waits{false};
  std::string holder;
  PostgresOptions of_second = options();
  of_second.on_wait = [&](std::string_view address) {
    holder = address;
    waits = true;
  };
  std::unique_ptr<Engine> second;
  std::thread opening([&] { second = open_postgres_engine(of_second); });
  while (!waits) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(holder, "first:8000");
  put(*first, first->open_tree(ColumnFamily::kItems, "t"), "t2", "v");
  first.reset();
  opening.join();
  EXPECT_EQ(second->get(*second->open_tree(ColumnFamily::kItems, "t"), "t2").bytes(), "v");
  EXPECT_EQ(losses_, 0);
}

// As by a server whose network ends within a commit.
TEST_F(PostgresEngineTest, ATakeOverEndsTransactionsThatWereAbandoned) {
  auto first = open();
  put(*first, first->open_tree(ColumnFamily::kItems, "t"), "t1", "v");
  PostgresConnection abandoned(StoreAddress(PostgresServer::shared().url()));
  abandoned.execute(kEndIdleTransactions);
  abandoned.execute("BEGIN; SELECT 1 FROM " + schema_ + ".fence WHERE id <> 1 FOR UPDATE");
  first.reset();
  const auto second = open();
  EXPECT_EQ(second->get(*second->open_tree(ColumnFamily::kItems, "t"), "t1").bytes(), "v");
  EXPECT_THROW(abandoned.execute("COMMIT"), ConnectionLost);
}

// A snapshot holds a lock on each relation that it has read.
TEST_F(PostgresEngineTest, AServerThatWaitsDoesNotHoldUpTheHolder) {
  const auto first = open();
  const TreePtr tree = first->open_tree(ColumnFamily::kItems, "t");
  const SnapshotPtr snapshot = first->snapshot();
  EXPECT_FALSE(snapshot->get(*tree, "t1"));
  std::stop_source stop;
  std::atomic<bool> has_written{false};
  PostgresOptions of_second = options();
  of_second.stop = stop.get_token();
  of_second.on_wait = [&](std::string_view) {
    put(*first, tree, "t1", "v");
    has_written = true;
    stop.request_stop();
  };
  EXPECT_THROW(open_postgres_engine(of_second), EngineError);
  EXPECT_TRUE(has_written);
}

TEST_F(PostgresEngineTest, AWaitCanBeEnded) {
  const auto first = open();
  std::stop_source stop;
  PostgresOptions of_second = options();
  of_second.stop = stop.get_token();
  of_second.on_wait = [&](std::string_view) { stop.request_stop(); };
  EXPECT_THROW(open_postgres_engine(of_second), EngineError);
}

// ---- refusals ------------------------------------------------------------------------------------

TEST_F(PostgresEngineTest, RefusesAStoreOfANewerFormat) {
  open().reset();
  execute("UPDATE " + schema_ + ".one SET n = 1000 WHERE name = 'format'");
  EXPECT_THROW(open(), EngineError);
}

TEST_F(PostgresEngineTest, KeepsTheFormatThatWasRequired) {
  auto engine = open();
  engine->require_format(5);
  engine->require_format(4);
  PostgresConnection connection(StoreAddress(PostgresServer::shared().url()));
  const Statement format{0, "SELECT n FROM " + schema_ + ".one WHERE name = 'format'"};
  EXPECT_EQ(connection.run(format, {}).number(0, 0), 5);
}

// The tests' server writes nothing to its disk.
TEST_F(PostgresEngineTest, WarnsOfSettingsThatCanLoseWrites) {
  std::vector<std::string> warnings;
  PostgresOptions warning = options();
  warning.on_warning = [&](std::string_view what) { warnings.emplace_back(what); };
  open_postgres_engine(warning).reset();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings.front().find("fsync = off"), std::string::npos);
  warnings.clear();
  warning.url += "&options=-c%20synchronous_commit%3Doff";
  open_postgres_engine(warning).reset();
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings.back().find("synchronous_commit = off"), std::string::npos);
}

TEST_F(PostgresEngineTest, RefusesUrlsThatAreWrongOrHaveAPassword) {
  const auto refusal = [](const std::string& url) {
    try {
      open_postgres_engine({.url = url});
    } catch (const EngineError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(refusal("mysql://a/b").find("--store must be a URL"), std::string::npos);
  EXPECT_NE(refusal("postgres://a@h/b?sslmod=require").find("sslmod"), std::string::npos);
  EXPECT_NE(refusal("postgres://a:secret@h/b").find("--store-password-file"), std::string::npos);
  EXPECT_EQ(refusal("postgres://a:secret@h/b").find("secret"), std::string::npos);
  EXPECT_NE(refusal("postgres://a@/b?host=/nowhere").find("/nowhere"), std::string::npos);
}

}  // namespace
}  // namespace magneto::storage
