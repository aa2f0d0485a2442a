#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/postgres_engine.h"
#include "storage/engine/server_group.h"
#include "tests/storage/engine/postgres/shared_fixture.h"
#include "tests/support/postgres_server.h"

// The promises of engines that share a database when connections and servers are lost.
namespace magneto::storage {
namespace {

using namespace std::chrono_literals;

using PostgresFailuresTest = SharedFixture;

Clock::TimePoint fast_clock() { return Clock::real_now() + 3s; }

// ---- connections ---------------------------------------------------------------------------------

TEST_F(PostgresFailuresTest, SumsAreExactWhileConnectionsAreTerminated) {
  std::vector<std::unique_ptr<Engine>> engines;
  for (int i = 0; i < 2; ++i) engines.push_back(open());
  std::atomic<bool> is_over{false};
  std::atomic<std::uint64_t> added{0};
  std::vector<std::thread> writers;
  for (unsigned i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      Engine& engine = *engines[i % 2];
      const TreePtr tree = items_of(engine);
      std::mt19937 random(i);
      while (!is_over) {
        const std::string key = "t" + std::to_string(random() % 6);
        write_in_scope(engine, {key}, [&](WriteScope& scope, WriteBatch& batch) {
          batch.put(tree, key, bytes_of_number(number_in(scope.get(*tree, key)) + 1));
          batch.count("sum", 1, 0);
        });
        ++added;
      }
    });
  }
  for (int round = 0; round < 60; ++round) {
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'magneto' AND random() < 0.5");
    std::this_thread::sleep_for(5ms);
  }
  is_over = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_GT(added, 0U);
  EXPECT_EQ(sum_of(*engines[0], *items_of(*engines[0])), added);
  const std::vector<std::string> counts = {"sum"};
  EXPECT_EQ(engines[1]->counted(counts).front().items, static_cast<std::int64_t>(added));
  EXPECT_EQ(losses_, 0);
}

// The database waits for a standby that does not exist, after it has committed. So connections end
// before they can answer.
TEST_F(PostgresFailuresTest, TheOutcomeIsKnownThoughTheConnectionOfACommitIsLost) {
  PostgresServer server;
  PostgresOptions own = options();
  own.url = server.url();
  own.connections = 4;  // one of them commits
  own.lease = std::chrono::hours(1);
  const auto engine = open_postgres_engine(own);
  const TreePtr tree = items_of(*engine);
  add_one(*engine, tree, "t1");
  PostgresConnection admin{StoreAddress(server.url())};
  const Statement waiting{
      0, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE $1"};
  const auto is_waiting = [&](PostgresConnection& connection, std::string_view query) {
    Arguments arguments;
    arguments.add_bytes(query);
    return connection.run(waiting, arguments).number(0, 0) != 0;
  };
  for (const bool has_conflict : {false, true}) {
    add_one(*engine, tree, "t2");  // connects again
    std::thread adding([&] {
      const WriteScopePtr scope = engine->begin("t1");
      const std::uint64_t before = number_in(scope->get(*tree, "t1"));
      if (has_conflict) {
        PostgresConnection(StoreAddress(server.url()))
            .execute("UPDATE " + schema_ + ".items SET ver = ver + 1");
      }
      PostgresConnection setting{StoreAddress(server.url())};
      setting.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      setting.execute("SELECT pg_reload_conf()");
      wait_until([&] { return is_waiting(setting, "%.front%"); });  // a beat
      WriteBatch batch;
      batch.put(tree, "t1", bytes_of_number(before + 1));
      EXPECT_EQ(scope->commit(batch),
                has_conflict ? CommitResult::kConflict : CommitResult::kCommitted);
    });
    wait_until([&] { return is_waiting(admin, "COMMIT"); });
    admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    wait_until([&] { return !is_waiting(admin, "COMMIT"); });
    admin.execute("ALTER SYSTEM RESET synchronous_standby_names");
    admin.execute("SELECT pg_reload_conf()");
    adding.join();
    EXPECT_EQ(number_in(engine->get(*tree, "t1")), 2U);
  }
  EXPECT_GE(engine->statistics().shared->lost_connections, 2U);
}

// ---- modes ---------------------------------------------------------------------------------------

TEST_F(PostgresFailuresTest, OneServerAndAGroupExcludeEachOther) {
  PostgresOptions of_group = options();
  of_group.lease = 2s;
  PostgresOptions of_one = of_group;
  of_one.shared = false;
  std::int64_t last = 0;
  {
    const auto alone = open_postgres_engine(of_one);
    EXPECT_EQ(alone->group(), nullptr);
    WriteBatch batch;
    const TreePtr tree = items_of(*alone);
    batch.put(tree, "t1", bytes_of_number(1));
    alone->commit(batch);
    EXPECT_THROW(open_postgres_engine(of_group), EngineError);
  }
  {
    PostgresOptions fast = of_group;
    fast.now = &fast_clock;
    const auto shared = open_postgres_engine(fast);
    add_one(*shared, items_of(*shared), "t1");
    last = number_of("SELECT max(ver) FROM @.items");
    EXPECT_THROW(open_postgres_engine(of_one), EngineError);
  }
  {
    const auto alone = open_postgres_engine(of_one);
    const TreePtr tree = items_of(*alone);
    EXPECT_EQ(number_in(alone->get(*tree, "t1")), 2U);
    WriteBatch batch;
    batch.put(tree, "t1", bytes_of_number(3));
    alone->commit(batch);
    EXPECT_GT(number_of("SELECT max(ver) FROM @.items"), last);
  }
  const auto shared = open_postgres_engine(of_group);
  EXPECT_EQ(number_in(shared->get(*items_of(*shared), "t1")), 3U);
  EXPECT_EQ(losses_, 0);
}

// As after processes that were killed.
TEST_F(PostgresFailuresTest, TheModeChangesWhenLeasesHaveEnded) {
  PostgresOptions of_group = options();
  of_group.lease = 400ms;
  PostgresOptions of_one = of_group;
  of_one.shared = false;
  open_postgres_engine(of_group).reset();
  execute("INSERT INTO " + schema_ + ".front VALUES (7, 77, 5, 0, 0, 0, 'gone:1')");
  open_postgres_engine(of_one).reset();
  EXPECT_EQ(number_of("SELECT count(*) FROM @.front"), 0);
  execute("UPDATE " + schema_ + ".fence SET n = 5 WHERE id = 1");
  const auto shared = open_postgres_engine(of_group);
  EXPECT_EQ(add_one(*shared, items_of(*shared), "t1"), 0);
}

}  // namespace
}  // namespace magneto::storage
