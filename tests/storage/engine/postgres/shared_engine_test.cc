#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/engine/server_group.h"
#include "tests/storage/engine/postgres/shared_fixture.h"

// The promises of engines that share one database.
namespace magneto::storage {
namespace {

using PostgresSharedTest = SharedFixture;

// ---- scopes --------------------------------------------------------------------------------------

TEST_F(PostgresSharedTest, AScopeMeetsTheWriteOfAnotherServer) {
  const auto first = open();
  const auto second = open();
  const TreePtr here = items_of(*first);
  const TreePtr there = items_of(*second);
  for (const std::string key : {"t-absent", "t-present", "t-removed"}) {
    if (key != "t-absent") add_one(*first, here, key);
    if (key == "t-removed") {
      write_in_scope(*first, {key},
                     [&](WriteScope&, WriteBatch& batch) { batch.remove(here, key); });
    }
    const WriteScopePtr scope = first->begin(key);
    const std::uint64_t before = number_in(scope->get(*here, key));
    EXPECT_EQ(add_one(*second, there, key), 0);
    WriteBatch batch;
    batch.put(here, key, bytes_of_number(before + 10));
    EXPECT_EQ(scope->commit(batch), CommitResult::kConflict) << key;
    EXPECT_EQ(number_in(second->get(*there, key)), before + 1) << key;
  }
}

TEST_F(PostgresSharedTest, AKeyThatWasPutAndRemovedAgainIsAConflict) {
  const auto first = open();
  const auto second = open();
  const TreePtr here = items_of(*first);
  const TreePtr there = items_of(*second);
  const WriteScopePtr scope = first->begin("t1");
  EXPECT_FALSE(scope->get(*here, "t1"));
  add_one(*second, there, "t1");
  write_in_scope(*second, {"t1"}, [&](WriteScope& other, WriteBatch& batch) {
    EXPECT_TRUE(other.get(*there, "t1"));
    batch.remove(there, "t1");
  });
  EXPECT_FALSE(second->get(*there, "t1"));
  WriteBatch batch;
  batch.put(here, "t1", "v");
  EXPECT_EQ(scope->commit(batch), CommitResult::kConflict);
  EXPECT_FALSE(first->get(*here, "t1"));
}

// As when the leader has removed a key that nobody needs to remember.
TEST_F(PostgresSharedTest, ARowThatIsGoneIsNotMadeAgain) {
  const auto engine = open();
  const TreePtr tree = items_of(*engine);
  add_one(*engine, tree, "t1");
  const WriteScopePtr scope = engine->begin("t1");
  EXPECT_EQ(number_in(scope->get(*tree, "t1")), 1U);
  execute("DELETE FROM " + schema_ + ".items");
  WriteBatch batch;
  batch.put(tree, "t1", bytes_of_number(2));
  EXPECT_EQ(scope->commit(batch), CommitResult::kConflict);
  EXPECT_FALSE(engine->get(*tree, "t1"));
}

TEST_F(PostgresSharedTest, NothingOfAScopeThatMeetsAConflictIsApplied) {
  const auto first = open();
  const auto second = open();
  const TreePtr here = items_of(*first);
  const TreePtr there = items_of(*second);
  const TreePtr entries = first->open_tree(ColumnFamily::kIndexes, "i");
  add_one(*first, here, "t2");
  for (const bool is_wide : {false, true}) {
    std::vector<std::string_view> keys = {"t2"};
    if (is_wide) keys.push_back("t1");
    const WriteScopePtr scope = first->begin(keys);
    for (const std::string_view key : keys) scope->get(*here, key);
    add_one(*second, there, "t2");
    WriteBatch batch;
    for (const std::string_view key : keys) batch.put(here, std::string(key), "v");
    batch.put(entries, "i1", "");
    batch.count("c", 1, 1);
    EXPECT_EQ(scope->commit(batch), CommitResult::kConflict);
    EXPECT_FALSE(first->get(*entries, "i1"));
    EXPECT_FALSE(first->get(*here, "t1"));
    const std::vector<std::string> counted = {"c"};
    EXPECT_EQ(first->counted(counted).front().items, 0);
  }
}

TEST_F(PostgresSharedTest, IncrementsOfManyThreadsAreKept) {
  const std::vector<std::unique_ptr<Engine>> engines = [&] {
    std::vector<std::unique_ptr<Engine>> made;
    for (int i = 0; i < 3; ++i) made.push_back(open());
    return made;
  }();
  constexpr int kThreads = 12;
  constexpr int kRounds = 40;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      Engine& engine = *engines[static_cast<std::size_t>(thread) % engines.size()];
      const TreePtr tree = items_of(engine);
      std::mt19937 random(static_cast<unsigned>(thread));
      for (int round = 0; round < kRounds; ++round) {
        // Hot keys, and wide scopes over some of them.
        std::vector<std::string> keys;
        for (int key = 0; key < 12; ++key) {
          if (random() % 6 == 0) keys.push_back("t" + std::to_string(key));
        }
        if (keys.empty() || round % 2 == 0) keys = {"t" + std::to_string(random() % 4)};
        write_in_scope(engine, keys, [&](WriteScope& scope, WriteBatch& batch) {
          for (const std::string& key : keys) {
            batch.put(tree, key, bytes_of_number(number_in(scope.get(*tree, key)) + 1));
          }
          batch.count("sum", static_cast<std::int64_t>(keys.size()), 2);
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<std::string> counts = {"sum", "other"};
  const auto counted = engines[0]->counted(counts);
  EXPECT_EQ(sum_of(*engines[1], *items_of(*engines[1])),
            static_cast<std::uint64_t>(counted[0].items));
  EXPECT_EQ(counted[0].bytes, kThreads * kRounds * 2);
  EXPECT_EQ(counted[1], Engine::Counted());
  engines[2]->forget_counted("su");
  EXPECT_EQ(engines[0]->counted(counts)[0], Engine::Counted());
}

// Each server reads both keys and writes one: in any serial order one of them sees the other's.
TEST_F(PostgresSharedTest, CheckedKeysAreHeld) {
  const auto first = open();
  const auto second = open();
  for (int round = 0; round < 40; ++round) {
    const std::string a = "t" + std::to_string(round) + "a";
    const std::string b = "t" + std::to_string(round) + "b";
    if (round % 2 == 0) {
      for (const std::string& key : {a, b}) {
        const TreePtr tree = items_of(*first);
        write_in_scope(*first, {key}, [&](WriteScope& scope, WriteBatch& batch) {
          scope.get(*tree, key);
          batch.put(tree, key, bytes_of_number(0));
        });
      }
    }
    std::atomic<int> saw_none{0};
    const auto run = [&](Engine& engine, const std::string& written) {
      const TreePtr tree = items_of(engine);
      bool is_none = false;
      write_in_scope(engine, {a, b}, [&](WriteScope& scope, WriteBatch& batch) {
        is_none = number_in(scope.get(*tree, a)) + number_in(scope.get(*tree, b)) == 0;
        batch.put(tree, written, bytes_of_number(1));
      });
      if (is_none) ++saw_none;
    };
    std::thread other([&] { run(*second, b); });
    run(*first, a);
    other.join();
    EXPECT_EQ(saw_none, 1) << round;
  }
}

TEST_F(PostgresSharedTest, OneOfSeveralServersMakesAnAbsentKey) {
  const auto first = open();
  const auto second = open();
  for (int round = 0; round < 40; ++round) {
    const std::string key = "t" + std::to_string(round);
    const bool is_wide = round % 2 == 0;
    std::atomic<int> made{0};
    const auto run = [&](Engine& engine) {
      const TreePtr tree = items_of(engine);
      bool is_mine = false;
      std::vector<std::string> keys = {key};
      if (is_wide) keys.push_back(key + "other");
      write_in_scope(engine, keys, [&](WriteScope& scope, WriteBatch& batch) {
        is_mine = true;
        for (const std::string& each : keys) is_mine = !scope.get(*tree, each) && is_mine;
        for (const std::string& each : keys) {
          if (is_mine) batch.put(tree, each, "v");
        }
      });
      if (is_mine) ++made;
    };
    std::thread other([&] { run(*second); });
    run(*first);
    other.join();
    EXPECT_EQ(made, 1) << key;
  }
}

TEST_F(PostgresSharedTest, AnEmptyBatchTellsWhetherAllReadsAreOfOneMoment) {
  const auto first = open();
  const auto second = open();
  const TreePtr here = items_of(*first);
  const TreePtr there = items_of(*second);
  for (const bool has_changed : {false, true}) {
    const std::vector<std::string_view> keys = {"t1", "t2"};
    const WriteScopePtr scope = first->begin(keys);
    scope->get(*here, "t1");
    if (has_changed) add_one(*second, there, "t1");
    scope->get(*here, "t2");
    EXPECT_EQ(scope->commit({}), has_changed ? CommitResult::kConflict : CommitResult::kCommitted);
  }
}

// ---- scopes that lock their rows -----------------------------------------------------------------

class PostgresLockingTest : public SharedFixture {
 protected:
  // Lets the next scope of the key lock its rows first.
  void meet_conflicts(Engine& engine, Engine& other, const std::string& key) {
    const TreePtr tree = items_of(engine);
    for (int conflict = 0; conflict < 3; ++conflict) {
      const WriteScopePtr scope = engine.begin(key);
      const std::uint64_t number = number_in(scope->get(*tree, key));
      add_one(other, items_of(other), key);
      WriteBatch batch;
      batch.put(tree, key, bytes_of_number(number + 1));
      ASSERT_EQ(scope->commit(batch), CommitResult::kConflict);
    }
  }
  bool is_anyone_blocked() const {
    return number_of(
               "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND "
               "query LIKE '%@.items%'") != 0;
  }
  // Adds one in a scope of `engine` that reads, waits for `moment`, then commits. Meanwhile another
  // server adds one too.
  CommitResult add_beside(Engine& engine, Engine& other, const std::string& key,
                          const std::function<void()>& moment) {
    const TreePtr tree = items_of(engine);
    std::thread adding;
    CommitResult result{};
    {
      const WriteScopePtr scope = engine.begin(key);
      const std::uint64_t number = number_in(scope->get(*tree, key));
      has_added_ = false;
      adding = std::thread([&] {
        add_one(other, items_of(other), key);
        has_added_ = true;
      });
      moment();
      WriteBatch batch;
      batch.put(tree, key, bytes_of_number(number + 1));
      result = scope->commit(batch);
    }
    adding.join();
    return result;
  }

  std::atomic<bool> has_added_{false};
};

TEST_F(PostgresLockingTest, AScopeLocksItsRowsAfterThreeConflicts) {
  const auto first = open();
  const auto second = open();
  for (const std::string key : {"t1", "t2"}) {
    meet_conflicts(*first, *second, key);
    if (key == "t2") {  // a removed key
      const TreePtr tree = items_of(*second);
      write_in_scope(*second, {key}, [&](WriteScope& scope, WriteBatch& batch) {
        scope.get(*tree, key);
        batch.remove(tree, key);
      });
    }
    const std::uint64_t before = number_in(second->get(*items_of(*second), key));
    EXPECT_EQ(add_beside(*first, *second, key,
                         [&] { wait_until([&] { return is_anyone_blocked() || has_added_; }); }),
              CommitResult::kCommitted);
    EXPECT_EQ(number_in(second->get(*items_of(*second), key)), before + 2);
  }
}

TEST_F(PostgresLockingTest, AScopeThatIsGivenUpReleasesItsRows) {
  const auto first = open();
  const auto second = open();
  meet_conflicts(*first, *second, "t1");
  {
    const WriteScopePtr scope = first->begin("t1");
    EXPECT_EQ(number_in(scope->get(*items_of(*first), "t1")), 3U);
  }
  EXPECT_EQ(number_of("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' "
                      "AND query LIKE '%@.items%'"),
            0);
  EXPECT_EQ(add_one(*second, items_of(*second), "t1"), 0);
}

TEST_F(PostgresLockingTest, TheDatabaseEndsTheLocksOfAScopeThatStalls) {
  const auto first = open();
  const auto second = open();
  meet_conflicts(*first, *second, "t1");
  EXPECT_EQ(
      add_beside(*first, *second, "t1", [&] { wait_until([&] { return has_added_.load(); }); }),
      CommitResult::kConflict);
  EXPECT_EQ(number_in(second->get(*items_of(*second), "t1")), 4U);
  EXPECT_EQ(add_one(*first, items_of(*first), "t1"), 0);
}

// ---- versions ------------------------------------------------------------------------------------

TEST_F(PostgresSharedTest, VersionsAreAboveThoseRead) {
  const auto first = open();
  const auto second = open();
  Version last = 0;
  for (int round = 0; round < 10; ++round) {
    Engine& engine = round % 2 == 0 ? *first : *second;
    const TreePtr tree = items_of(engine);
    Version drawn = 0;
    write_in_scope(engine, {"t1"}, [&](WriteScope& scope, WriteBatch& batch) {
      scope.get(*tree, "t1");
      drawn = scope.draw(3);
      batch.put(tree, "t1", "v");
    });
    EXPECT_GT(drawn, last);
    last = drawn + 2 * kVersionStep;
    EXPECT_EQ(number_of("SELECT max(ver) FROM @.items"), static_cast<std::int64_t>(last));
  }
  EXPECT_GE(first->group()->beyond(), last);
  EXPECT_GT(last, first->shared_since());
  EXPECT_EQ(first->shared_since(), second->shared_since());
}

}  // namespace
}  // namespace magneto::storage
