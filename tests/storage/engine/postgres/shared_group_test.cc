#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/postgres_engine.h"
#include "storage/engine/server_group.h"
#include "tests/storage/engine/postgres/shared_fixture.h"
#include "tests/support/postgres_server.h"

// The promises of the group of servers that share one database.
namespace magneto::storage {
namespace {

using namespace std::chrono_literals;

class PostgresGroupTest : public SharedFixture {
 protected:
  // A server whose beats have ended, though its connections live, as if its process was stopped.
  void stop_beats(Engine& engine) {
    const std::string epoch = std::to_string(epoch_of(engine));
    PostgresConnection connection(StoreAddress(PostgresServer::shared().url()));
    connection.execute(
        "CREATE OR REPLACE FUNCTION " + schema_ +
        ".stop() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'stopped'; END$$; "
        "CREATE TRIGGER stop" +
        epoch + " BEFORE UPDATE ON " + schema_ + ".front FOR EACH ROW WHEN (OLD.epoch = " + epoch +
        ") EXECUTE FUNCTION " + schema_ + ".stop()");
  }
  std::int64_t count_fronts() const { return number_of("SELECT count(*) FROM @.front"); }
};

Clock::TimePoint ahead() { return Clock::real_now() + 3s; }
Clock::TimePoint behind() { return Clock::real_now() - 3s; }
Clock::TimePoint far_behind() { return Clock::real_now() - 61s; }

// ---- announcements -------------------------------------------------------------------------------

TEST_F(PostgresGroupTest, OthersTakeAnnouncementsOverBeforeTheCallReturns) {
  const auto first = open();
  const auto second = open();
  std::atomic<int> own_calls{0};
  std::mutex mutex;
  std::vector<std::vector<std::string>> calls;
  first->group()->on_announced([&](std::span<const std::string>) { ++own_calls; });
  second->group()->on_announced([&](std::span<const std::string> keys) {
    const std::lock_guard lock(mutex);
    calls.emplace_back(keys.begin(), keys.end());
  });
  first->group()->announce({"a", "b"});
  first->group()->announce({});
  first->group()->announce({"c"});
  const std::lock_guard lock(mutex);
  EXPECT_EQ(calls, (std::vector<std::vector<std::string>>{{"a", "b"}, {"c"}}));
  EXPECT_EQ(own_calls, 0);
}

TEST_F(PostgresGroupTest, AnAnnouncementWaitsForTheScopesOfAllServers) {
  const auto first = open();
  const auto second = open();
  for (Engine* const holder : {first.get(), second.get()}) {
    WriteScopePtr scope;
    std::latch is_open(1);
    std::latch may_end(1);
    std::atomic<bool> has_ended{false};
    std::thread working([&] {
      scope = holder->begin("t1");
      is_open.count_down();
      may_end.wait();
      has_ended = true;
      scope.reset();
    });
    is_open.wait();
    std::atomic<bool> is_taken{false};
    second->group()->on_announced([&](std::span<const std::string>) { is_taken = true; });
    std::thread announcing([&] {
      first->group()->announce({"key"});
      EXPECT_TRUE(has_ended);
    });
    // The take-over does not wait for scopes.
    wait_until([&] { return is_taken.load(); });
    add_one(*second, items_of(*second), "t2");
    may_end.count_down();
    announcing.join();
    working.join();
  }
}

TEST_F(PostgresGroupTest, ATakeOverThatFailsIsRepeated) {
  const auto first = open();
  const auto second = open();
  std::atomic<int> calls{0};
  second->group()->on_announced([&](std::span<const std::string> keys) {
    EXPECT_EQ(keys.size(), 1U);
    if (++calls < 3) throw EngineError("not now");
  });
  first->group()->announce({"key"});
  EXPECT_EQ(calls, 3);
  second->group()->ignore_announcements();
  first->group()->announce({"key"});
  EXPECT_EQ(calls, 3);
}

// An announcement came before there was a function: any record may have changed.
TEST_F(PostgresGroupTest, AServerLearnsThatItHasMissedAnnouncements) {
  const auto first = open();
  const auto second = open();
  first->group()->announce({"key"});
  std::atomic<int> calls{0};
  second->group()->on_announced([&](std::span<const std::string> keys) {
    EXPECT_TRUE(keys.empty());
    ++calls;
  });
  wait_until([&] { return calls > 0; });
}

// A server reaches a version that was named after an announcement only when it knows of that.
TEST_F(PostgresGroupTest, VersionsGoOnAfterTheTakeOver) {
  PostgresOptions quick = options();
  quick.lease = 2s;
  const auto first = open_postgres_engine(quick);
  const auto second = open_postgres_engine(quick);
  std::atomic<bool> is_taking{false};
  std::atomic<bool> may_take{false};
  second->group()->on_announced([&](std::span<const std::string>) {
    is_taking = true;
    wait_until([&] { return may_take.load(); });
  });
  std::thread announcing([&] { first->group()->announce({"key"}); });
  wait_until([&] { return is_taking.load(); });
  const Version named = first->group()->beyond();
  std::atomic<bool> has_reached{false};
  std::thread drawing([&] {
    for (Version drawn = 0; drawn <= named;) drawn = second->begin("t1")->draw(10'000);
    EXPECT_TRUE(may_take);
    has_reached = true;
  });
  // Beats go on meanwhile.
  const auto beat = [&] { return number_of("SELECT beat FROM @.front WHERE epoch = 2"); };
  const std::int64_t before = beat();
  wait_until([&] { return has_reached || beat() > before + 10; });
  EXPECT_TRUE(second->is_current());
  may_take = true;
  announcing.join();
  drawing.join();
}

// ---- servers that end ----------------------------------------------------------------------------

TEST_F(PostgresGroupTest, AServerWhoseBeatsEndIsRemovedAndCannotCommit) {
  PostgresOptions quick = options();
  quick.lease = 2s;
  const auto first = open_postgres_engine(quick);
  const auto second = open_postgres_engine(quick);
  std::atomic<int> reloads{0};
  second->group()->on_announced([&](std::span<const std::string> keys) {
    if (keys.empty()) ++reloads;
  });
  const TreePtr tree = items_of(*first);
  add_one(*first, tree, "t1");
  EXPECT_TRUE(first->group()->is_leader());
  EXPECT_FALSE(second->group()->is_leader());
  std::atomic<int> leads{0};
  second->group()->on_leading([&] { ++leads; });
  const WriteScopePtr scope = first->begin("t1");
  scope->get(*tree, "t1");
  scope->draw(1);
  stop_beats(*first);
  second->group()->announce({});  // waits until the lease has ended
  EXPECT_EQ(count_fronts(), 1);
  EXPECT_FALSE(first->is_current());
  WriteBatch batch;
  batch.put(tree, "t1", "late");
  EXPECT_THROW(static_cast<void>(scope->commit(batch)), StoreTaken);
  wait_until([&] { return leads == 1 && reloads >= 1 && second->group()->is_leader(); });
  EXPECT_EQ(number_in(second->get(*items_of(*second), "t1")), 1U);
  EXPECT_EQ(second->group()->size(), 1U);
  execute("DROP FUNCTION " + schema_ + ".stop CASCADE");
  wait_until([&] { return losses_ == 1; });
  EXPECT_FALSE(first->describe_refusal().empty());
  EXPECT_THROW(first->group()->announce({}), EngineError);
}

TEST_F(PostgresGroupTest, AServerThatEndsLeavesAtOnce) {
  PostgresOptions patient = options();
  patient.lease = std::chrono::hours(1);
  auto first = open_postgres_engine(patient);
  const auto second = open_postgres_engine(patient);
  add_one(*first, items_of(*first), "t1");
  first.reset();
  EXPECT_EQ(count_fronts(), 1);
  EXPECT_EQ(number_of("SELECT count(*) FROM @.guard WHERE epoch = 1"), 0);
  second->group()->announce({});
  EXPECT_EQ(losses_, 0);
}

TEST_F(PostgresGroupTest, NoTwoServersInSuccessionHaveOneNumber) {
  std::set<std::int64_t> numbers;
  for (int i = 0; i < 4; ++i) {
    const auto engine = open();
    EXPECT_TRUE(numbers.insert(number_of("SELECT no::bigint FROM @.front")).second);
  }
}

// ---- versions ------------------------------------------------------------------------------------

// Writers record the version of each commit; a reader sees all below settled() at once.
TEST_F(PostgresGroupTest, SettledNeverPassesACommitInProgress) {
  std::vector<std::unique_ptr<Engine>> engines;
  for (const Clock::RealTime now : {&Clock::real_now, &ahead, &behind}) {
    PostgresOptions own = options();
    own.now = now;
    engines.push_back(open_postgres_engine(own));
  }
  std::atomic<bool> is_over{false};
  std::vector<std::thread> writers;
  for (std::size_t i = 0; i < 6; ++i) {
    writers.emplace_back([&, i] {
      Engine& engine = *engines[i % engines.size()];
      const TreePtr records = engine.open_tree(ColumnFamily::kStreams, "r");
      const std::string item = "t" + std::to_string(i);
      std::mt19937 random(static_cast<unsigned>(i));
      while (!is_over) {
        const WriteScopePtr scope = engine.begin(item);
        const Version version = scope->draw(2);
        if (random() % 4 == 0) std::this_thread::sleep_for(3ms);
        WriteBatch batch;
        batch.put(records, "r" + bytes_of_number(version), item);
        EXPECT_EQ(scope->commit(batch), CommitResult::kCommitted);
      }
    });
  }
  std::map<std::string, std::string> seen;
  Version last = 0;
  std::size_t late = 0;
  const auto read = [&](Version end) {
    const TreePtr records = engines[0]->open_tree(ColumnFamily::kStreams, "r");
    const auto cursor =
        engines[0]->scan(*records, {}, "r" + bytes_of_number(end), Direction::kForward);
    std::map<std::string, std::string> found;
    while (cursor->next()) found.emplace(cursor->key(), cursor->value());
    return found;
  };
  for (int round = 0; round < 25; ++round) {
    const Version before = last;
    wait_until([&] { return engines[0]->group()->settled() > before; });
    last = engines[0]->group()->settled();
    const auto found = read(last);
    // There is nothing new below the former end.
    const auto end = found.lower_bound("r" + bytes_of_number(before));
    late += static_cast<std::size_t>(std::distance(found.begin(), end)) - seen.size();
    seen = found;
  }
  is_over = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(late, 0U);
  EXPECT_GT(seen.size(), 20U);
}

// A clock that is behind holds nobody up.
TEST_F(PostgresGroupTest, SettledFollowsThoughClocksDiffer) {
  PostgresOptions fast = options();
  fast.now = &ahead;
  PostgresOptions slow = options();
  slow.now = &behind;
  // The server with the fast clock joins above what the other one has allowed itself.
  const auto second = open_postgres_engine(slow);
  const auto first = open_postgres_engine(fast);
  for (Engine* const engine : {first.get(), second.get()}) {
    const WriteScopePtr scope = engine->begin("t1");
    const TreePtr tree = items_of(*engine);
    scope->get(*tree, "t1");
    const Version version = scope->draw(1);
    WriteBatch batch;
    batch.put(tree, "t1", "v");
    ASSERT_EQ(scope->commit(batch), CommitResult::kCommitted);
    for (Engine* const reader : {first.get(), second.get()}) {
      wait_until([&] { return reader->group()->settled() > version; });
    }
    EXPECT_LT(version_at(behind()), version);  // the slow clock has not reached it
  }
}

TEST_F(PostgresGroupTest, AClockThatDiffersByMoreThanAMinuteIsRefused) {
  std::vector<std::string> warnings;
  PostgresOptions own = options();
  own.on_warning = [&](std::string_view what) { warnings.emplace_back(what); };
  own.now = &far_behind;
  EXPECT_THROW(open_postgres_engine(own), EngineError);
  own.now = &behind;
  EXPECT_NO_THROW(open_postgres_engine(own));
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const std::string& warning) {
    return warning.find("differs") != warning.npos;
  }));
}

// ---- what is left behind -------------------------------------------------------------------------

TEST_F(PostgresGroupTest, TheLeaderRemovesWhatNobodyNeeds) {
  PostgresOptions forgetful = options();
  forgetful.remembered = 200ms;
  const auto first = open_postgres_engine(forgetful);
  const auto second = open_postgres_engine(forgetful);
  const TreePtr tree = items_of(*second);
  for (const std::string key : {"t1", "t2"}) {
    add_one(*second, tree, key);
    write_in_scope(*second, {key}, [&](WriteScope& scope, WriteBatch& batch) {
      scope.get(*tree, key);
      batch.remove(tree, key);
    });
  }
  add_one(*first, items_of(*first), "t2");
  // Two absent keys that are only looked at keep no row either.
  write_in_scope(*second, {"t3", "t4"}, [&](WriteScope& scope, WriteBatch& batch) {
    EXPECT_FALSE(scope.get(*tree, "t3"));
    EXPECT_FALSE(scope.get(*tree, "t4"));
    batch.put(tree, "t5", bytes_of_number(1));
  });
  second->group()->announce({"key"});
  wait_until([&] {
    return number_of("SELECT count(*) FROM @.items") == 2 &&
           number_of("SELECT count(*) FROM @.gone") == 0 &&
           number_of("SELECT count(*) FROM @.news") == 0;
  });
  EXPECT_EQ(sum_of(*first, *items_of(*first)), 2U);
}

}  // namespace
}  // namespace magneto::storage
