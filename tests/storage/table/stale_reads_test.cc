#include "storage/table/stale_reads.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

class StaleReadsTest : public EngineTest {
 protected:
  void write(int value) {
    WriteBatch batch;
    batch.put(tree_, "tkey", std::to_string(value));
    engine_->commit(batch);
    if (stale_.is_on()) stale_.record_commit();
  }
  int read() {
    const ReadView view = stale_.choose();
    const PinnedValue value = view.or_newest(*engine_).get(*tree_, "tkey");
    return value ? std::stoi(std::string(value.bytes())) : -1;
  }
  std::vector<int> reads(int count) {
    std::vector<int> found;
    for (int i = 0; i < count; ++i) found.push_back(read());
    return found;
  }

  const TreePtr tree_ = engine_->open_tree(ColumnFamily::kItems, "t");
  StaleReads stale_{*engine_};
};
INSTANTIATE_TEST_SUITE_P(Engines, StaleReadsTest, kAllEngineKinds, engine_kind_name);

TEST_P(StaleReadsTest, OffReadsSeeTheNewest) {
  write(1);
  EXPECT_EQ(read(), 1);
  stale_.set({.probability = 1, .versions = 3});
  write(2);
  EXPECT_EQ(read(), 1);
  stale_.turn_off();
  EXPECT_EQ(read(), 2);
  EXPECT_FALSE(stale_.is_on());
}

TEST_P(StaleReadsTest, TheSeedChoosesAmongTheLastVersions) {
  const auto run = [&](std::uint64_t seed) {
    write(0);
    stale_.set({.probability = 0.5, .seed = seed, .versions = 3});
    for (int i = 1; i <= 10; ++i) write(i);
    return reads(200);
  };
  const std::vector<int> first = run(1);
  EXPECT_EQ(run(1), first);
  EXPECT_NE(run(2), first);
  int newest = 0;
  std::vector<int> seen(11);
  for (const int value : first) {
    ASSERT_GE(value, 7);
    ++seen[static_cast<std::size_t>(value)];
    if (value == 10) ++newest;
  }
  EXPECT_GT(newest, 60);
  EXPECT_LT(newest, 140);
  for (const int value : {7, 8, 9}) EXPECT_GT(seen[static_cast<std::size_t>(value)], 10);
}

TEST_P(StaleReadsTest, HeldReadsGoOnStepByStep) {
  write(1);
  stale_.set({.versions = 4, .is_held = true});
  write(2);
  write(3);
  EXPECT_EQ(reads(3), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(stale_.versions_behind(), 2U);
  EXPECT_EQ(stale_.release(1), 1U);
  EXPECT_EQ(read(), 2);
  for (int i = 4; i <= 9; ++i) write(i);
  EXPECT_EQ(read(), 5);
  EXPECT_EQ(stale_.release(100), 0U);
  EXPECT_EQ(read(), 9);
  write(10);
  EXPECT_EQ(read(), 9);
}

TEST_P(StaleReadsTest, RefusesWhatCannotBe) {
  EXPECT_THROW(stale_.set({.probability = 1.5}), std::invalid_argument);
  EXPECT_THROW(stale_.set({.probability = -0.1}), std::invalid_argument);
  EXPECT_THROW(stale_.set({.versions = 0}), std::invalid_argument);
  EXPECT_THROW(stale_.set({.versions = 1'001}), std::invalid_argument);
  EXPECT_FALSE(stale_.is_on());
}

}  // namespace
}  // namespace magneto::storage
