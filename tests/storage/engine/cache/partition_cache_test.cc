#include "storage/engine/cache/partition_cache.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "storage/engine/cache/cache_commit.h"
#include "storage/engine/cache/cached_partition.h"
#include "storage/engine/memory/memory_engine.h"
#include "tests/support/forwarding_engine.h"

namespace magneto::storage {
namespace {

using Contents = std::map<std::string, std::string>;

// Walks what the disk held when it was made.
class ContentsCursor final : public Cursor {
 public:
  explicit ContentsCursor(Contents contents) : contents_(std::move(contents)) {}
  bool next() override {
    at_ = is_started_ ? std::next(at_) : contents_.begin();
    is_started_ = true;
    return at_ != contents_.end();
  }
  std::string_view key() const override { return at_->first; }
  std::string_view value() const override { return at_->second; }

 private:
  const Contents contents_;
  Contents::const_iterator at_;
  bool is_started_ = false;
};

// The engine from which the cache loads.
class MapEngine final : public ForwardingEngine {
 public:
  MapEngine() : ForwardingEngine(make_memory_engine()) {}
  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string, std::string) override {
    return std::make_shared<Tree>(family, std::move(prefix));
  }
  PinnedValue get(const Tree&, std::string_view) const override { return {}; }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view, std::string_view, Direction,
                               ScanHint) const override {
    const auto found = contents.find(tree.prefix());
    auto cursor =
        std::make_unique<ContentsCursor>(found == contents.end() ? Contents() : found->second);
    if (during_scan) during_scan();
    return cursor;
  }
  void commit(const WriteBatch& batch) override {
    for (const WriteBatch::Operation& operation : batch.operations()) {
      Contents& tree = contents[operation.tree->prefix()];
      tree.erase(operation.key);
      if (!operation.is_delete) tree.emplace(operation.key, operation.value);
    }
  }
  void clear(Tree& tree) override { contents.erase(tree.prefix()); }
  std::uint64_t estimate_size(const Tree&) const override { return estimate; }

  std::map<std::string, Contents> contents;  // by prefix
  std::function<void()> during_scan;
  std::uint64_t estimate = 0;
};

class PartitionCacheTest : public ::testing::Test {
 protected:
  void open(std::uint64_t budget) {
    cache_ = std::make_shared<PartitionCache>(below_, budget);
    tree_ = make_tree("t");
  }
  ~PartitionCacheTest() override {
    if (cache_ != nullptr) cache_->stop();
  }

  TreePtr make_tree(const std::string& prefix) {
    TreePtr tree = below_.open_tree(ColumnFamily::kItems, prefix, {}, {});
    tree->attach(std::make_unique<CachedPartition>(cache_, tree));
    return tree;
  }
  static CachedPartition& partition_of(const TreePtr& tree) { return *CachedPartition::of(*tree); }
  static bool is_loaded(const TreePtr& tree) { return partition_of(tree).is_loaded(); }

  void load(const TreePtr& tree) {
    if (partition_of(tree).wants_load()) cache_->request_load(tree);
    cache_->settle();
  }

  void commit(const TreePtr& tree, const std::string& key, const std::string& value) {
    WriteBatch batch;
    if (value.empty()) {
      batch.remove(tree, key);
    } else {
      batch.put(tree, key, value);
    }
    CacheCommit cached(batch, false);
    below_.commit(batch);
    cached.apply();
  }

  // "absent", "none", or the value.
  static std::string found(const TreePtr& tree, const std::string& key) {
    const std::optional<PinnedValue> value = partition_of(tree).get(key);
    if (!value) return "absent";
    return *value ? std::string(value->bytes()) : "none";
  }

  MapEngine below_;
  std::shared_ptr<PartitionCache> cache_;
  TreePtr tree_;
};

constexpr std::uint64_t kAmplePartitions = 1 << 20;

TEST_F(PartitionCacheTest, LoadsWhatIsBelow) {
  for (int i = 0; i < 1'000; ++i) below_.contents["t"]["t" + std::to_string(i)] = std::to_string(i);
  open(kAmplePartitions);
  EXPECT_EQ(found(tree_, "t1"), "absent");
  load(tree_);
  EXPECT_TRUE(is_loaded(tree_));
  EXPECT_EQ(found(tree_, "t1"), "1");
  EXPECT_EQ(found(tree_, "t999"), "999");
  EXPECT_EQ(found(tree_, "t1000"), "none");
}

TEST_F(PartitionCacheTest, AsksForALoadOnce) {
  open(kAmplePartitions);
  EXPECT_TRUE(partition_of(tree_).wants_load());
  EXPECT_FALSE(partition_of(tree_).wants_load());
}

TEST_F(PartitionCacheTest, CommitsReachLoadedPartitions) {
  open(kAmplePartitions);
  load(tree_);
  commit(tree_, "ta", "1");
  EXPECT_EQ(found(tree_, "ta"), "1");
  commit(tree_, "ta", "2");
  EXPECT_EQ(found(tree_, "ta"), "2");
  commit(tree_, "ta", "");
  EXPECT_EQ(found(tree_, "ta"), "none");
}

// The engine below was read before these commits, and is taken over after them.
TEST_F(PartitionCacheTest, CommitsDuringALoadWin) {
  below_.contents["t"] = {{"ta", "old"}, {"tb", "old"}, {"tc", "old"}, {"td", "old"}};
  open(kAmplePartitions);
  below_.during_scan = [this] {
    commit(tree_, "ta", "new");
    commit(tree_, "tb", "");
    commit(tree_, "tc", "");
    commit(tree_, "tc", "again");
    commit(tree_, "te", "new");
    EXPECT_EQ(found(tree_, "ta"), "absent");
  };
  load(tree_);
  EXPECT_EQ(found(tree_, "ta"), "new");
  EXPECT_EQ(found(tree_, "tb"), "none");
  EXPECT_EQ(found(tree_, "tc"), "again");
  EXPECT_EQ(found(tree_, "td"), "old");
  EXPECT_EQ(found(tree_, "te"), "new");
}

TEST_F(PartitionCacheTest, ALoadWaitsForTheCommitsUnderWay) {
  open(kAmplePartitions);
  WriteBatch batch;
  const TreePtr tree = tree_;
  batch.put(tree, "ta", "1");
  {
    CacheCommit under_way(batch, false);
    ASSERT_TRUE(partition_of(tree_).wants_load());
    cache_->request_load(tree_);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(is_loaded(tree_));
    below_.contents["t"]["ta"] = "1";
    under_way.apply();
  }
  cache_->settle();
  EXPECT_EQ(found(tree_, "ta"), "1");
}

// The other tree is not cached, so no I/O thread reads this one until the commit is done.
TEST_F(PartitionCacheTest, AnIoThreadDoesNotWaitForACommitThatWaits) {
  open(kAmplePartitions);
  load(tree_);
  commit(tree_, "ta", "1");
  const TreePtr tree = tree_;
  const TreePtr absent = make_tree("u");
  WriteBatch batch;
  batch.put(tree, "ta", "2");
  batch.put(absent, "ua", "2");
  {
    CacheCommit under_way(batch, true);
    const Effort on_io_thread(1'000);
    EXPECT_THROW(found(tree_, "ta"), NeedsWorker);
    under_way.apply();
  }
  const Effort on_io_thread(1'000);
  EXPECT_EQ(found(tree_, "ta"), "2");
}

TEST_F(PartitionCacheTest, ClearEmptiesAndEndsALoad) {
  below_.contents["t"] = {{"ta", "old"}};
  open(kAmplePartitions);
  below_.during_scan = [this] { partition_of(tree_).clear(); };
  load(tree_);
  EXPECT_EQ(found(tree_, "ta"), "absent");
  below_.during_scan = nullptr;
  const auto other = make_tree("t");
  load(other);
  EXPECT_EQ(found(other, "ta"), "old");
  partition_of(other).clear();
  EXPECT_EQ(found(other, "ta"), "none");
}

TEST_F(PartitionCacheTest, EvictsWhatOutgrowsTheBudget) {
  open(10'000);
  load(tree_);
  commit(tree_, "ta", std::string(4'000, 'x'));
  EXPECT_TRUE(is_loaded(tree_));
  commit(tree_, "tb", std::string(8'000, 'x'));
  EXPECT_FALSE(is_loaded(tree_));
  EXPECT_FALSE(cache_->is_over_budget());
  EXPECT_EQ(found(tree_, "ta"), "absent");
}

TEST_F(PartitionCacheTest, DoesNotLoadWhatDoesNotFit) {
  below_.contents["t"] = {{"ta", std::string(20'000, 'x')}};
  open(10'000);
  load(tree_);
  EXPECT_FALSE(is_loaded(tree_));
  const auto other = make_tree("u");
  below_.estimate = 20'000;
  load(other);
  EXPECT_FALSE(is_loaded(other));
}

TEST_F(PartitionCacheTest, LoadsWhenRoomWasMade) {
  below_.contents["t"] = {{"ta", std::string(8'000, 'x')}};
  below_.contents["u"] = {{"ua", std::string(8'000, 'y')}};
  open(10'000);
  load(tree_);
  auto other = make_tree("u");
  load(other);
  EXPECT_TRUE(is_loaded(tree_));
  EXPECT_FALSE(is_loaded(other));
  EXPECT_FALSE(partition_of(other).wants_load());
  tree_.reset();
  load(other);
  EXPECT_TRUE(is_loaded(other));
}

TEST_F(PartitionCacheTest, ACursorIsCutOffWhereItsPartitionIsEvicted) {
  for (int i = 100; i < 200; ++i) below_.contents["t"]["t" + std::to_string(i)] = "v";
  open(kAmplePartitions);
  load(tree_);
  MemoryCursor cursor(partition_of(tree_).records(), "t", KeySpan("t", {}, {}), Direction::kForward,
                      {});
  ASSERT_TRUE(cursor.next());
  partition_of(tree_).evict();
  int seen = 1;
  while (cursor.next()) ++seen;
  EXPECT_TRUE(cursor.is_cut_off());
  EXPECT_EQ(cursor.last_key(), "t" + std::to_string(99 + seen));
}

}  // namespace
}  // namespace magneto::storage
