#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"
#include "tests/support/engines.h"

// The promises of every engine for several threads at once.
namespace magneto::storage {
namespace {

std::string numbered(char first, int number) {
  std::string key(1, first);
  append_uint32(key, static_cast<std::uint32_t>(number));
  return key;
}

// A value that reveals a torn read: all its characters are the same.
std::string uniform(int number) {
  return std::string(static_cast<std::size_t>(1 + number % 700),
                     static_cast<char>('a' + number % 26));
}

bool is_uniform(std::string_view value) {
  return !value.empty() && value.find_first_not_of(value.front()) == std::string_view::npos &&
         value.size() <= 700;
}

class EngineConcurrency : public EngineTest {
 protected:
  // Runs `work` again and again in separate threads until `main` is done. `main` begins after all
  // of them have run once.
  template <typename Main, typename... Work>
  void run_beside(Main main, Work... work) {
    std::atomic<bool> stop = false;
    std::latch begun(sizeof...(Work));
    std::vector<std::thread> threads;
    (threads.emplace_back([&stop, &begun, work] {
      work();
      begun.count_down();
      while (!stop) work();
    }),
     ...);
    begun.wait();
    main();
    stop = true;
    for (std::thread& thread : threads) thread.join();
  }

  void put(const TreePtr& tree, std::string key, std::string value) {
    WriteBatch batch;
    batch.put(tree, std::move(key), std::move(value));
    engine_->commit(batch);
  }
  void remove(const TreePtr& tree, std::string key) {
    WriteBatch batch;
    batch.remove(tree, std::move(key));
    engine_->commit(batch);
  }
};

TEST_P(EngineConcurrency, ReadersNeverSeeTornValues) {
  constexpr int kKeys = 16;
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  for (int i = 0; i < kKeys; ++i) put(tree, numbered('t', i), uniform(i));
  std::atomic<long> reads = 0;
  const auto read = [&] {
    for (int i = 0; i < kKeys; ++i) {
      const PinnedValue value = engine_->get(*tree, numbered('t', i));
      if (value) {
        EXPECT_TRUE(is_uniform(value.bytes()));
        ++reads;
      }
    }
  };
  const auto walk = [&] {
    const auto cursor = engine_->scan(*tree, {}, {}, Direction::kBackward);
    while (cursor->next()) EXPECT_TRUE(is_uniform(cursor->value()));
  };
  run_beside(
      [&] {
        for (int i = 0; i < 20'000 || reads < 1'000; ++i) {
          if (i % 7 == 0) {
            remove(tree, numbered('t', i % kKeys));
          } else {
            put(tree, numbered('t', i % kKeys), uniform(i));
          }
        }
      },
      read, walk);
}

// The writer raises the number in tree a and in tree b in one batch. A reader of b after a never
// finds b behind.
TEST_P(EngineConcurrency, BatchAcrossTreesIsSeenWhole) {
  const TreePtr a = engine_->open_tree(ColumnFamily::kItems, "a");
  const TreePtr b = engine_->open_tree(ColumnFamily::kIndexes, "b");
  const auto commit_both = [&](int number) {
    WriteBatch batch;
    batch.put(b, "b", numbered('n', number));
    batch.put(a, "a", numbered('n', number));
    engine_->commit(batch);
  };
  commit_both(0);
  const auto check = [&](const TreePtr& first, const char* first_key, const TreePtr& second,
                         const char* second_key) {
    const std::string before(engine_->get(*first, first_key).bytes());
    const std::string after(engine_->get(*second, second_key).bytes());
    EXPECT_LE(before, after);
  };
  run_beside(
      [&] {
        for (int i = 1; i < 10'000; ++i) commit_both(i);
      },
      [&] { check(a, "a", b, "b"); }, [&] { check(b, "b", a, "a"); });
}

// Batches over the same trees in different orders do not block each other for ever.
TEST_P(EngineConcurrency, BatchesOverManyTreesInAnyOrder) {
  constexpr int kTrees = 12;
  std::vector<TreePtr> trees;
  for (int i = 0; i < kTrees; ++i) {
    trees.push_back(engine_->open_tree(ColumnFamily::kItems, numbered('t', i)));
  }
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 1'000; ++i) {
      WriteBatch batch;
      for (int j = 0; j < 5; ++j) {
        const TreePtr& tree = trees[random() % kTrees];
        batch.put(tree, tree->prefix() + std::to_string(seed), std::to_string(i));
      }
      engine_->commit(batch);
    }
  };
  std::thread first(work, 1U);
  std::thread second(work, 2U);
  first.join();
  second.join();
}

// Keys with even numbers stay throughout, odd ones come and go.
TEST_P(EngineConcurrency, CursorSeesKeysThatStayExactlyOnceAndInOrder) {
  constexpr int kKeys = 600;
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  for (int i = 0; i < kKeys; i += 2) put(tree, numbered('t', i), uniform(i));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 1; !stop; i = (i + 34) % kKeys | 1) {
      put(tree, numbered('t', i), uniform(i));
      remove(tree, numbered('t', (i + kKeys / 2) % kKeys | 1));
      put(tree, numbered('t', i - 1), uniform(i));
    }
  });
  for (int round = 0; round < 60; ++round) {
    const bool forward = round % 2 == 0;
    const auto cursor =
        engine_->scan(*tree, {}, {}, forward ? Direction::kForward : Direction::kBackward);
    std::string last;
    int even = 0;
    while (cursor->next()) {
      const std::string key(cursor->key());
      EXPECT_TRUE(last.empty() || (forward ? last < key : last > key));
      EXPECT_TRUE(is_uniform(cursor->value()));
      even += read_uint32(key.substr(1)) % 2 == 0 ? 1 : 0;
      last = key;
    }
    EXPECT_EQ(even, kKeys / 2);
  }
  stop = true;
  writer.join();
}

// Read, decide, write under begin(): no update is lost.
TEST_P(EngineConcurrency, ScopesMakeCountersExact) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 500;
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "t");
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const WriteScopePtr scope = engine_->begin("tcounter");
        const PinnedValue value = engine_->get(*tree, "tcounter");
        const std::uint32_t count = value ? read_uint32(value.bytes()) : 0;
        std::string next;
        append_uint32(next, count + 1);
        put(tree, "tcounter", next);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(read_uint32(engine_->get(*tree, "tcounter").bytes()),
            static_cast<std::uint32_t>(kThreads * kRounds));
}

TEST_P(EngineConcurrency, TreesMayBeOpenedAndDroppedByManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, numbered('t', i % 3));
        const std::string key = tree->prefix() + std::to_string(t);
        put(tree, key, uniform(i));
        EXPECT_TRUE(is_uniform(engine_->get(*tree, key).bytes()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineConcurrency, kAllEngineKinds, engine_kind_name);

}  // namespace
}  // namespace magneto::storage
