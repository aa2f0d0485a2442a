#include "storage/engine/cache/cached_engine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "storage/engine/cache/cached_partition.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "tests/support/engines.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

constexpr std::uint64_t kAmple = 1 << 20;

class CachedEngineTest : public ::testing::Test {
 protected:
  void put(const TreePtr& tree, const std::string& key, std::string value) {
    WriteBatch batch;
    batch.put(tree, key, std::move(value));
    engine_->commit(batch);
  }
  std::string get(const TreePtr& tree, const std::string& key) {
    return std::string(engine_->get(*tree, key).bytes());
  }
  // Reads until the tree is loaded.
  void load(const TreePtr& tree) {
    while (!CachedPartition::of(*tree)->is_loaded()) {
      engine_->get(*tree, tree->prefix());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  const std::shared_ptr<FaultyEngine::Faults> faults_ = std::make_shared<FaultyEngine::Faults>();
  std::unique_ptr<Engine> engine_ =
      make_cached_engine(std::make_unique<FaultyEngine>(make_memory_engine(), faults_), kAmple);
};

TEST_F(CachedEngineTest, ReadsWhatIsLoadedFromTheCacheAlone) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "a");
  put(tree, "a1", "one");
  load(tree);
  faults_->reads = true;
  EXPECT_EQ(get(tree, "a1"), "one");
  EXPECT_FALSE(engine_->get(*tree, "a2"));
  const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward);
  ASSERT_TRUE(cursor->next());
  EXPECT_EQ(cursor->value(), "one");
  EXPECT_FALSE(cursor->next());
  put(tree, "a2", "two");
  EXPECT_EQ(get(tree, "a2"), "two");
}

TEST_F(CachedEngineTest, AScanOfOnePassLoadsNothing) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "a");
  put(tree, "a1", "one");
  for (int turn = 0; turn < 2; ++turn) {  // from below, then from the cache
    const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward,
                                      {.entries = 0, .bytes = 0, .is_single_pass = true});
    ASSERT_TRUE(cursor->next());
    EXPECT_EQ(cursor->value(), "one");
    EXPECT_FALSE(cursor->next());
    EXPECT_EQ(engine_->statistics().cache->loads, static_cast<std::uint64_t>(turn));
    load(tree);
  }
}

TEST_F(CachedEngineTest, CachesItemsAndIndexesOfOneTableOnly) {
  EXPECT_NE(engine_->open_tree(ColumnFamily::kItems, "a")->attachment(), nullptr);
  EXPECT_NE(engine_->open_tree(ColumnFamily::kIndexes, "a")->attachment(), nullptr);
  EXPECT_EQ(engine_->open_tree(ColumnFamily::kItems, "")->attachment(), nullptr);
  for (const ColumnFamily family : {ColumnFamily::kQueue, ColumnFamily::kSystem,
                                    ColumnFamily::kExpiry, ColumnFamily::kStreams}) {
    EXPECT_EQ(engine_->open_tree(family, "a")->attachment(), nullptr);
  }
}

TEST_F(CachedEngineTest, ACommitThatFailsBelowChangesNothing) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "a");
  put(tree, "a1", "one");
  load(tree);
  faults_->commits = true;
  EXPECT_THROW(put(tree, "a1", "two"), EngineError);
  EXPECT_EQ(get(tree, "a1"), "one");
  faults_->commits = false;
  put(tree, "a1", "three");
  EXPECT_EQ(get(tree, "a1"), "three");
}

TEST_F(CachedEngineTest, FailedReadsOfWhatIsNotLoadedAreTold) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "a");
  put(tree, "a1", "one");
  faults_->reads = true;
  EXPECT_THROW(engine_->get(*tree, "a1"), EngineError);
  EXPECT_THROW(engine_->scan(*tree, {}, {}, Direction::kForward), EngineError);
}

TEST_F(CachedEngineTest, HandlesMayOutliveTheEngine) {
  const TreePtr tree = engine_->open_tree(ColumnFamily::kItems, "a");
  put(tree, "a1", "one");
  load(tree);
  engine_.reset();
}

// Runs over each engine, with a budget so small that partitions come and go. No read returns an
// older state than an earlier one, and no walk omits or repeats a key.
class CachedEngineOverAny : public testing::TestWithParam<EngineKind> {
 protected:
  static std::unique_ptr<Engine> open(EngineKind kind, const TempDirectory& directory) {
    constexpr std::uint64_t kBudget = 1 << 19;
    std::unique_ptr<Engine> below =
        kind == EngineKind::kMemory
            ? make_memory_engine()
            : open_rocksdb_engine({.directory = directory.file("data"), .memory_budget = kBudget});
    return make_cached_engine(std::move(below), kBudget);
  }

  void put(const TreePtr& tree, const std::string& key, std::string value) {
    WriteBatch batch;
    batch.put(tree, key, std::move(value));
    engine_->commit(batch);
  }

  TempDirectory directory_;
  std::unique_ptr<Engine> engine_ = open(GetParam(), directory_);
};

INSTANTIATE_TEST_SUITE_P(Engines, CachedEngineOverAny,
                         testing::Values(EngineKind::kMemory, EngineKind::kBareRocksdb),
                         engine_kind_name);

std::string padded(int number) {
  const std::string digits = std::to_string(number);
  return std::string(8 - digits.size(), '0') + digits;
}

TEST_P(CachedEngineOverAny, ReadsNeverGoBackWhilePartitionsComeAndGo) {
  constexpr int kKeys = 50;
  constexpr int kRounds = 300;
  const TreePtr a = engine_->open_tree(ColumnFamily::kItems, "a");
  const TreePtr b = engine_->open_tree(ColumnFamily::kItems, "b");
  for (int i = 0; i < kKeys; ++i) put(a, "a" + padded(i), padded(0));
  put(b, "b", padded(0));
  std::atomic<bool> stop = false;
  std::thread crowd([&] {
    while (!stop) {
      const TreePtr bulk = engine_->open_tree(ColumnFamily::kItems, "z");
      for (int i = 0; i < 20 && !stop; ++i) {
        put(bulk, "z" + padded(i), std::string(30'000, 'z'));
        engine_->get(*bulk, "z" + padded(i));
      }
      engine_->clear(*bulk);
    }
  });
  std::thread walker([&] {
    while (!stop) {
      const auto cursor = engine_->scan(*a, {}, {}, Direction::kBackward);
      int seen = 0;
      std::string last;
      while (cursor->next()) {
        const std::string key(cursor->key());
        EXPECT_TRUE(last.empty() || key < last);
        last = key;
        ++seen;
      }
      EXPECT_EQ(seen, kKeys);
    }
  });
  std::thread reader([&] {
    while (!stop) {
      const std::string first(engine_->get(*b, "b").bytes());
      const std::string then(engine_->get(*a, "a" + padded(0)).bytes());
      EXPECT_LE(first, then);
    }
  });
  for (int round = 1; round <= kRounds; ++round) {
    WriteBatch batch;
    batch.put(b, "b", padded(round));
    batch.put(a, "a" + padded(0), padded(round));
    engine_->commit(batch);
    EXPECT_EQ(engine_->get(*a, "a" + padded(0)).bytes(), padded(round));
    EXPECT_EQ(engine_->get(*b, "b").bytes(), padded(round));
  }
  stop = true;
  crowd.join();
  walker.join();
  reader.join();
}

}  // namespace
}  // namespace magneto::storage
