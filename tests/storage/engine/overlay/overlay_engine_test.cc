#include "storage/engine/overlay/overlay_engine.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

using Contents = std::map<std::string, std::string>;

void commit(Engine& engine, const TreePtr& tree, const std::string& key,
            const std::optional<std::string>& value) {
  WriteBatch batch;
  if (value) {
    batch.put(tree, key, *value);
  } else {
    batch.remove(tree, key);
  }
  engine.commit(batch);
}

Contents contents(Cursor& cursor) {
  Contents all;
  std::string last;
  while (cursor.next()) {
    EXPECT_TRUE(all.emplace(cursor.key(), cursor.value()).second);
    last = cursor.key();
  }
  return all;
}

template <typename Source>
Contents walk(Source& source, const TreePtr& tree, std::string_view lower = {},
              std::string_view upper = {}) {
  const Contents forward = contents(*source.scan(*tree, lower, upper, Direction::kForward));
  const Contents backward = contents(*source.scan(*tree, lower, upper, Direction::kBackward));
  EXPECT_EQ(forward, backward);
  return forward;
}

// An overlay above an engine of each kind.
class OverlayEngineTest : public EngineTest {
 protected:
  std::unique_ptr<OverlayEngine> fork(const std::shared_ptr<Engine>& engine) {
    return std::make_unique<OverlayEngine>(
        OverlayBase{.engine = engine, .snapshot = engine->snapshot()});
  }
  std::shared_ptr<Engine> below_ = std::move(engine_);
};
INSTANTIATE_TEST_SUITE_P(Engines, OverlayEngineTest, kAllEngineKinds, engine_kind_name);

TEST_P(OverlayEngineTest, BeginsAsWhatIsBelowAndGoesItsOwnWay) {
  const TreePtr tree = below_->open_tree(ColumnFamily::kItems, "t");
  commit(*below_, tree, "t1", "one");
  commit(*below_, tree, "t2", "two");
  const auto fork = this->fork(below_);
  const TreePtr own = fork->overlay_of(tree);
  EXPECT_EQ(walk(*fork, own), (Contents{{"t1", "one"}, {"t2", "two"}}));
  commit(*fork, own, "t1", "changed");
  commit(*fork, own, "t2", std::nullopt);
  commit(*fork, own, "t3", "new");
  commit(*below_, tree, "t1", "below");
  commit(*below_, tree, "t4", "below");
  EXPECT_EQ(walk(*fork, own), (Contents{{"t1", "changed"}, {"t3", "new"}}));
  EXPECT_EQ(walk(*below_, tree), (Contents{{"t1", "below"}, {"t2", "two"}, {"t4", "below"}}));
  EXPECT_FALSE(fork->get(*own, "t2"));
  EXPECT_FALSE(fork->get(*own, "t4"));
  EXPECT_EQ(fork->get(*own, "t1").bytes(), "changed");
}

TEST_P(OverlayEngineTest, TreesOpenedInItAreNew) {
  const TreePtr tree = below_->open_tree(ColumnFamily::kItems, "t");
  commit(*below_, tree, "t1", "one");
  const auto fork = this->fork(below_);
  const TreePtr own = fork->open_tree(ColumnFamily::kItems, "t", "", "");
  EXPECT_TRUE(walk(*fork, own).empty());
  commit(*fork, own, "t2", "two");
  EXPECT_EQ(walk(*fork, own), (Contents{{"t2", "two"}}));
  EXPECT_EQ(walk(*below_, tree), (Contents{{"t1", "one"}}));
}

TEST_P(OverlayEngineTest, AClearedTreeHidesWhatIsBelowButNotFromSnapshots) {
  const TreePtr tree = below_->open_tree(ColumnFamily::kItems, "t");
  commit(*below_, tree, "t1", "one");
  const auto fork = this->fork(below_);
  const TreePtr own = fork->overlay_of(tree);
  commit(*fork, own, "t2", "two");
  const SnapshotPtr before = fork->snapshot();
  fork->clear(*own);
  EXPECT_TRUE(walk(*fork, own).empty());
  commit(*fork, own, "t3", "three");
  const SnapshotPtr after = fork->snapshot();
  EXPECT_EQ(walk(*before, own), (Contents{{"t1", "one"}, {"t2", "two"}}));
  EXPECT_EQ(walk(*after, own), (Contents{{"t3", "three"}}));
  fork->clear(*own);
  EXPECT_EQ(walk(*before, own), (Contents{{"t1", "one"}, {"t2", "two"}}));
  EXPECT_EQ(walk(*after, own), (Contents{{"t3", "three"}}));
  EXPECT_EQ(fork->own_bytes(), 0);
}

TEST_P(OverlayEngineTest, CountsTheBytesOfItsRecords) {
  const TreePtr tree = below_->open_tree(ColumnFamily::kItems, "t");
  commit(*below_, tree, "t1", std::string(10'000, 'x'));
  const auto fork = this->fork(below_);
  const TreePtr own = fork->overlay_of(tree);
  EXPECT_EQ(fork->own_bytes(), 0);
  commit(*fork, own, "t1", std::nullopt);
  const std::int64_t removed = fork->own_bytes();
  EXPECT_GT(removed, 0);
  EXPECT_LT(removed, 100);
  commit(*fork, own, "t1", std::string(5'000, 'y'));
  EXPECT_GE(fork->own_bytes(), 5'000);
  EXPECT_LT(fork->own_bytes(), 5'100);
  commit(*fork, own, "t1", std::nullopt);
  EXPECT_EQ(fork->own_bytes(), removed);
}

TEST_P(OverlayEngineTest, KnowsWhetherAnythingWasCommittedSinceASnapshot) {
  const TreePtr tree = below_->open_tree(ColumnFamily::kItems, "t");
  const auto fork = this->fork(below_);
  const TreePtr own = fork->overlay_of(tree);
  SnapshotPtr first = fork->snapshot();
  EXPECT_FALSE(fork->changed_since(*first));
  commit(*fork, own, "t1", "one");
  EXPECT_TRUE(fork->changed_since(*first));
  SnapshotPtr second = fork->snapshot();
  EXPECT_FALSE(fork->changed_since(*second));
  second.reset();
  EXPECT_TRUE(fork->changed_since(*first));
}

// Above an engine, or above what is below all overlays of its chain.
std::shared_ptr<OverlayEngine> make_above(const std::shared_ptr<Engine>& top, bool merges,
                                          const TreePtr& tree, TreePtr& own_tree) {
  OverlayBase base{.engine = top, .snapshot = top->snapshot()};
  auto made = merges ? OverlayEngine::merge(base) : std::make_shared<OverlayEngine>(base);
  own_tree = made->overlay_of(tree);
  made->end_merging();
  return made;
}

TEST_P(OverlayEngineTest, MergesChainsAndKeepsNoneOfThem) {
  const TreePtr tree = below_->open_tree(ColumnFamily::kItems, "t");
  for (const char* const key : {"t1", "t2", "t3", "t4"}) commit(*below_, tree, key, "below");
  std::shared_ptr<OverlayEngine> top = fork(below_);
  TreePtr own = top->overlay_of(tree);
  const TreePtr fresh = static_cast<Engine&>(*top).open_tree(ColumnFamily::kItems, "u");
  commit(*top, own, "t1", "first");
  commit(*top, own, "t2", std::nullopt);
  commit(*top, fresh, "u1", "first");
  commit(*top, fresh, "u2", "first");
  std::weak_ptr<OverlayEngine> first = top;
  std::shared_ptr<OverlayEngine> second = fork(top);
  const TreePtr second_own = second->overlay_of(own);
  const TreePtr second_fresh = second->overlay_of(fresh);
  commit(*second, second_own, "t2", "second");
  commit(*second, second_own, "t3", std::nullopt);
  commit(*second, second_fresh, "u1", std::nullopt);
  auto merged = OverlayEngine::merge({.engine = second, .snapshot = second->snapshot()});
  commit(*second, second_own, "t4", "too late");
  const TreePtr merged_own = merged->overlay_of(second_own);
  const TreePtr merged_fresh = merged->overlay_of(second_fresh);
  merged->end_merging();
  EXPECT_EQ(merged->added_bytes(), 0);
  EXPECT_GT(merged->own_bytes(), 0);
  top.reset();
  second.reset();
  own.reset();
  EXPECT_EQ(first.lock(), nullptr);
  const auto expect_contents = [&] {
    EXPECT_EQ(walk(*merged, merged_own),
              (Contents{{"t1", "first"}, {"t2", "second"}, {"t4", "below"}}));
    EXPECT_EQ(walk(*merged, merged_fresh), (Contents{{"u2", "first"}}));
  };
  expect_contents();
  commit(*merged, merged_own, "t1", std::nullopt);
  commit(*merged, merged_fresh, "u1", "again");
  EXPECT_EQ(walk(*merged, merged_own), (Contents{{"t2", "second"}, {"t4", "below"}}));
  EXPECT_EQ(walk(*merged, merged_fresh), (Contents{{"u1", "again"}, {"u2", "first"}}));
}

// Compares some levels with copies of a map: the engine, forks of each other and merged chains of
// them, each with its own writes and snapshots.
TEST_P(OverlayEngineTest, AgreesWithAModel) {
  std::mt19937 random(20'261'123);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  struct Level {
    std::shared_ptr<Engine> engine;
    TreePtr tree;
    Contents contents;
    std::vector<std::pair<SnapshotPtr, Contents>> held;
  };
  std::vector<Level> levels;
  levels.push_back({below_, below_->open_tree(ColumnFamily::kItems, "t"), {}, {}});
  for (int step = 0; step < 4'000; ++step) {
    const int action = below(100);
    Level& level = levels[static_cast<std::size_t>(below(static_cast<unsigned>(levels.size())))];
    std::string key = "t";
    append_uint16(key, static_cast<std::uint16_t>(below(150)));
    if (action < 55) {
      level.contents[key] = std::to_string(step);
      commit(*level.engine, level.tree, key, level.contents[key]);
    } else if (action < 80) {
      level.contents.erase(key);
      commit(*level.engine, level.tree, key, std::nullopt);
    } else if (action < 81) {
      level.engine->clear(*level.tree);
      level.contents.clear();
    } else if (action < 84) {
      level.held.emplace_back(level.engine->snapshot(), level.contents);
    } else if (action < 87 && !level.held.empty()) {
      level.held.erase(level.held.begin() + below(static_cast<unsigned>(level.held.size())));
    } else if (action < 89 && levels.size() < 4) {
      const Level& last = levels.back();
      TreePtr tree;
      const auto made = make_above(last.engine, below(2) == 0, last.tree, tree);
      levels.push_back({made, tree, last.contents, {}});
    } else if (action < 90 && levels.size() > 1) {
      levels.back().held.clear();
      levels.pop_back();
    } else if (action < 95) {
      const auto found = level.contents.find(key);
      const PinnedValue value = level.engine->get(*level.tree, key);
      ASSERT_EQ(value ? std::string(value.bytes()) : "none",
                found != level.contents.end() ? found->second : "none");
    } else {
      std::string upper = "t";
      append_uint16(upper, static_cast<std::uint16_t>(below(150)));
      if (upper < key) std::swap(upper, key);
      ASSERT_EQ(walk(*level.engine, level.tree, key, upper),
                Contents(level.contents.lower_bound(key), level.contents.lower_bound(upper)))
          << step;
      for (const auto& [snapshot, held] : level.held) {
        ASSERT_EQ(walk(*snapshot, level.tree), held) << step;
      }
    }
  }
}

}  // namespace
}  // namespace magneto::storage
