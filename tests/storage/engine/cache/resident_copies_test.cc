#include "storage/engine/cache/resident_copies.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <latch>
#include <map>
#include <string>
#include <thread>

#include "storage/engine/rocksdb/rocksdb_engine.h"

namespace magneto::storage {
namespace {

using Contents = std::map<std::string, std::string>;

class CopiedTree final : public Tree {
 public:
  CopiedTree(std::string prefix, const std::shared_ptr<ResidentCopies>& copies)
      : Tree(Family::kItems, std::move(prefix)), copy_(copies, this->prefix()) {}
  ResidentCopy& copy() { return copy_; }

 private:
  ResidentCopy copy_;
};

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

class ResidentCopiesTest : public ::testing::Test {
 protected:
  void open(std::uint64_t budget) {
    copies_ = std::make_shared<ResidentCopies>(
        budget, ResidentCopies::Source{
                    [this](const Tree& tree) {
                      auto cursor = std::make_unique<ContentsCursor>(disk_[tree.prefix()]);
                      if (during_load_) during_load_();
                      return cursor;
                    },
                    [this](const Tree&) { return estimate_; },
                    [](Tree& tree) { return &static_cast<CopiedTree&>(tree).copy(); }});
    tree_ = make_tree("t");
  }
  ~ResidentCopiesTest() override {
    if (copies_ != nullptr) copies_->stop();
  }

  std::shared_ptr<CopiedTree> make_tree(const std::string& prefix) {
    return std::make_shared<CopiedTree>(prefix, copies_);
  }

  void load(const std::shared_ptr<CopiedTree>& tree) {
    if (tree->copy().wants_load()) copies_->request(tree);
    copies_->settle();
  }

  void commit(const TreePtr& tree, const std::string& key, const std::string& value) {
    WriteBatch batch;
    if (value.empty()) {
      batch.remove(tree, key);
    } else {
      batch.put(tree, key, value);
    }
    ResidentCommit copies(batch, false,
                          [](Tree& of) { return &static_cast<CopiedTree&>(of).copy(); });
    disk_[tree->prefix()].erase(key);
    if (!value.empty()) disk_[tree->prefix()].emplace(key, value);
    copies.apply();
  }

  // "away", "none", or the value.
  static std::string found(CopiedTree& tree, const std::string& key) {
    const std::optional<StoredValue> value = tree.copy().get(key);
    if (!value) return "away";
    return *value ? std::string(value->bytes()) : "none";
  }

  std::map<std::string, Contents> disk_;  // by prefix
  std::function<void()> during_load_;
  std::uint64_t estimate_ = 0;
  std::shared_ptr<ResidentCopies> copies_;
  std::shared_ptr<CopiedTree> tree_;
};

constexpr std::uint64_t kAmple = 1 << 20;

TEST_F(ResidentCopiesTest, LoadsWhatIsOnDisk) {
  for (int i = 0; i < 1'000; ++i) disk_["t"]["t" + std::to_string(i)] = std::to_string(i);
  open(kAmple);
  EXPECT_EQ(found(*tree_, "t1"), "away");
  load(tree_);
  EXPECT_TRUE(tree_->copy().is_resident());
  EXPECT_EQ(found(*tree_, "t1"), "1");
  EXPECT_EQ(found(*tree_, "t999"), "999");
  EXPECT_EQ(found(*tree_, "t1000"), "none");
}

TEST_F(ResidentCopiesTest, AsksForALoadOnce) {
  open(kAmple);
  EXPECT_TRUE(tree_->copy().wants_load());
  EXPECT_FALSE(tree_->copy().wants_load());
}

TEST_F(ResidentCopiesTest, CommitsReachResidentCopies) {
  open(kAmple);
  load(tree_);
  commit(tree_, "ta", "1");
  EXPECT_EQ(found(*tree_, "ta"), "1");
  commit(tree_, "ta", "2");
  EXPECT_EQ(found(*tree_, "ta"), "2");
  commit(tree_, "ta", "");
  EXPECT_EQ(found(*tree_, "ta"), "none");
}

// The disk was read before these commits, and is taken over after them.
TEST_F(ResidentCopiesTest, CommitsDuringALoadWin) {
  disk_["t"] = {{"ta", "old"}, {"tb", "old"}, {"tc", "old"}, {"td", "old"}};
  open(kAmple);
  during_load_ = [this] {
    commit(tree_, "ta", "new");
    commit(tree_, "tb", "");
    commit(tree_, "tc", "");
    commit(tree_, "tc", "again");
    commit(tree_, "te", "new");
    EXPECT_EQ(found(*tree_, "ta"), "away");
  };
  load(tree_);
  EXPECT_EQ(found(*tree_, "ta"), "new");
  EXPECT_EQ(found(*tree_, "tb"), "none");
  EXPECT_EQ(found(*tree_, "tc"), "again");
  EXPECT_EQ(found(*tree_, "td"), "old");
  EXPECT_EQ(found(*tree_, "te"), "new");
}

TEST_F(ResidentCopiesTest, ALoadWaitsForTheCommitsUnderWay) {
  open(kAmple);
  WriteBatch batch;
  const TreePtr tree = tree_;
  batch.put(tree, "ta", "1");
  {
    ResidentCommit under_way(batch, false, [this](Tree&) { return &tree_->copy(); });
    ASSERT_TRUE(tree_->copy().wants_load());
    copies_->request(tree_);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(tree_->copy().is_resident());
    disk_["t"]["ta"] = "1";
    under_way.apply();
  }
  copies_->settle();
  EXPECT_EQ(found(*tree_, "ta"), "1");
}

// The other tree is on disk alone, so readers of this one are kept off until the commit is through.
TEST_F(ResidentCopiesTest, AnIoThreadDoesNotWaitForACommitThatWaits) {
  open(kAmple);
  load(tree_);
  commit(tree_, "ta", "1");
  const TreePtr tree = tree_;
  const TreePtr away = make_tree("u");
  WriteBatch batch;
  batch.put(tree, "ta", "2");
  batch.put(away, "ua", "2");
  {
    ResidentCommit under_way(batch, true,
                             [](Tree& of) { return &static_cast<CopiedTree&>(of).copy(); });
    const Effort on_io_thread(1'000);
    EXPECT_THROW(found(*tree_, "ta"), NeedsWorker);
    under_way.apply();
  }
  const Effort on_io_thread(1'000);
  EXPECT_EQ(found(*tree_, "ta"), "2");
}

TEST_F(ResidentCopiesTest, ClearEmptiesAndEndsALoad) {
  disk_["t"] = {{"ta", "old"}};
  open(kAmple);
  during_load_ = [this] { tree_->copy().clear(); };
  load(tree_);
  EXPECT_EQ(found(*tree_, "ta"), "away");
  during_load_ = nullptr;
  const auto other = make_tree("t");
  load(other);
  EXPECT_EQ(found(*other, "ta"), "old");
  other->copy().clear();
  EXPECT_EQ(found(*other, "ta"), "none");
}

TEST_F(ResidentCopiesTest, GivesUpWhatOutgrowsTheBudget) {
  open(10'000);
  load(tree_);
  commit(tree_, "ta", std::string(4'000, 'x'));
  EXPECT_TRUE(tree_->copy().is_resident());
  commit(tree_, "tb", std::string(8'000, 'x'));
  EXPECT_FALSE(tree_->copy().is_resident());
  EXPECT_FALSE(copies_->is_over_budget());
  EXPECT_EQ(found(*tree_, "ta"), "away");
}

TEST_F(ResidentCopiesTest, DoesNotLoadWhatDoesNotFit) {
  disk_["t"] = {{"ta", std::string(20'000, 'x')}};
  open(10'000);
  load(tree_);
  EXPECT_FALSE(tree_->copy().is_resident());
  const auto other = make_tree("u");
  estimate_ = 20'000;
  load(other);
  EXPECT_FALSE(other->copy().is_resident());
}

TEST_F(ResidentCopiesTest, LoadsWhenRoomWasMade) {
  disk_["t"] = {{"ta", std::string(8'000, 'x')}};
  disk_["u"] = {{"ua", std::string(8'000, 'y')}};
  open(10'000);
  load(tree_);
  auto other = make_tree("u");
  load(other);
  EXPECT_TRUE(tree_->copy().is_resident());
  EXPECT_FALSE(other->copy().is_resident());
  EXPECT_FALSE(other->copy().wants_load());
  tree_.reset();
  load(other);
  EXPECT_TRUE(other->copy().is_resident());
}

TEST_F(ResidentCopiesTest, ACursorIsCutOffWhereItsCopyIsGivenUp) {
  for (int i = 100; i < 200; ++i) disk_["t"]["t" + std::to_string(i)] = "v";
  open(kAmple);
  load(tree_);
  MemoryCursor cursor(tree_->copy().records(), "t", KeySpan("t", {}, {}), Direction::kForward);
  ASSERT_TRUE(cursor.next());
  copies_->give_up(tree_->copy());
  int seen = 1;
  while (cursor.next()) ++seen;
  EXPECT_TRUE(cursor.is_cut_off());
  EXPECT_EQ(cursor.last_key(), "t" + std::to_string(99 + seen));
}

// The engine with a budget so small that copies come and go: no read goes back behind another, and
// no walk leaves a key out or sees it twice.
class ResidentEngineTest : public ::testing::Test {
 protected:
  ResidentEngineTest()
      : directory_(std::filesystem::temp_directory_path() /
                   ("magneto_resident_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(directory_);
    engine_ = open_rocksdb_engine({.directory = directory_.string(), .memory_budget = 1 << 20});
  }
  ~ResidentEngineTest() override {
    engine_.reset();
    std::filesystem::remove_all(directory_);
  }

  void put(const TreePtr& tree, const std::string& key, std::string value) {
    WriteBatch batch;
    batch.put(tree, key, std::move(value));
    engine_->commit(batch);
  }

  const std::filesystem::path directory_;
  std::unique_ptr<Engine> engine_;
};

std::string padded(int number) {
  const std::string digits = std::to_string(number);
  return std::string(8 - digits.size(), '0') + digits;
}

TEST_F(ResidentEngineTest, ReadsNeverGoBackWhileCopiesComeAndGo) {
  constexpr int kKeys = 50;
  constexpr int kRounds = 300;
  const TreePtr a = engine_->open_tree(Family::kItems, "a");
  const TreePtr b = engine_->open_tree(Family::kItems, "b");
  for (int i = 0; i < kKeys; ++i) put(a, "a" + padded(i), padded(0));
  put(b, "b", padded(0));
  std::atomic<bool> stop = false;
  std::thread crowd([&] {
    while (!stop) {
      const TreePtr bulk = engine_->open_tree(Family::kItems, "z");
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
