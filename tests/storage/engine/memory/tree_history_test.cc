#include "storage/engine/memory/tree_history.h"

#include <gtest/gtest.h>

#include <string>

#include "storage/engine/memory/node_pool.h"

namespace magneto::storage {
namespace {

// One key of a tree, and its values in snapshots. Numbers are those of snapshots.
class TreeHistoryTest : public ::testing::Test {
 protected:
  ~TreeHistoryTest() override { TreeHistory::destroy(unneeded_); }

  // While `newest` is the newest snapshot.
  void write(std::uint64_t newest, const std::string& value) {
    Record* const replaced = tree_.put(Probe("key"), Record::create("key", value));
    history_.add(newest, "key", replaced);
    if (replaced != nullptr) replaced->release();
  }
  void empty(std::uint64_t newest) { history_.add_all(newest, std::move(tree_)); }
  // `older` is the newest one held that is older.
  void retire(std::uint64_t snapshot, std::uint64_t older) {
    history_.retire(snapshot, older == 0 ? 0 : history_.heir_of(snapshot, older), unneeded_);
  }
  std::string seen_by(std::uint64_t snapshot) const {
    const Record* const record = history_.find(snapshot, tree_, "key");
    return record == nullptr ? "none" : std::string(record->value());
  }

  NodePool pool_;
  RecordTree tree_{pool_};
  TreeHistory history_;
  TreeHistory::Layers unneeded_;
};

TEST_F(TreeHistoryTest, ALayerGoesToTheNextOlderSnapshot) {
  write(0, "v0");
  history_.retire(0, 0, unneeded_);
  write(2, "v1");
  write(3, "v2");
  EXPECT_EQ(seen_by(1), "v0");
  EXPECT_EQ(seen_by(3), "v1");
  retire(3, 2);
  EXPECT_EQ(seen_by(2), "v0");
  retire(2, 1);
  EXPECT_EQ(seen_by(1), "v0");
  write(1, "v3");
  EXPECT_EQ(seen_by(1), "v0");
  retire(1, 0);
  EXPECT_TRUE(history_.empty());
}

// 2 and 3 are released at once: the thread that retires 3 finds 2 not held, but its layer still
// there.
TEST_F(TreeHistoryTest, LayersThatAreRetiredOutOfOrderKeepTheOldestRecord) {
  write(0, "v0");
  history_.retire(0, 0, unneeded_);
  write(2, "v1");
  write(3, "v2");
  retire(3, 1);
  EXPECT_EQ(seen_by(1), "v0");
  retire(2, 1);
  EXPECT_EQ(seen_by(1), "v0");
}

// 2 is released, but its layer is still there when 1 is the newest and the tree is emptied.
TEST_F(TreeHistoryTest, AnEmptiedTreeHidesNoLayerThatIsStillToBeRetired) {
  write(0, "v0");
  history_.retire(0, 0, unneeded_);
  write(2, "v1");
  empty(1);
  EXPECT_EQ(seen_by(1), "v0");
  retire(2, 1);
  EXPECT_EQ(seen_by(1), "v0");
  write(1, "again");
  EXPECT_EQ(seen_by(1), "v0");
}

TEST_F(TreeHistoryTest, AChangeDoesNotCountAsFirstWhereALaterLayerHasIt) {
  write(0, "v0");
  history_.retire(0, 0, unneeded_);
  write(2, "v1");
  write(1, "v2");
  EXPECT_EQ(seen_by(1), "v0");
  retire(2, 1);
  EXPECT_EQ(seen_by(1), "v0");
}

}  // namespace
}  // namespace magneto::storage
