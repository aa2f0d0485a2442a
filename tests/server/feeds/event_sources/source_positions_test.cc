#include "server/feeds/event_sources/source_positions.h"

#include <gtest/gtest.h>

#include "tests/support/engines.h"

namespace magneto::server::feeds {
namespace {

constexpr PositionBounds kBounds{.begin = 5, .end = 100, .now = 200};

class SourcePositionsTest : public testing::TestWithParam<bool> {
 protected:
  storage::TempDirectory directory_;
  SourcePositions positions_{GetParam() ? directory_.file("positions") : "",
                             [](std::string_view what) { ADD_FAILURE() << what; }};
};

TEST_P(SourcePositionsTest, LanesAreKeptApart) {
  ShardProgress first(positions_, "a", 2, kBounds);
  EXPECT_EQ(first.at(0), 5U);
  first.move(0, 40, true);
  first.move(1, 30, true);
  EXPECT_EQ(first.lowest(), 30U);
  const ShardProgress again(positions_, "a", 2, kBounds);
  EXPECT_EQ(again.at(0), 40U);
  EXPECT_EQ(again.at(1), 30U);
  const ShardProgress other(positions_, "b", 2, kBounds);
  EXPECT_EQ(other.at(0), 5U);
}

TEST_P(SourcePositionsTest, AnotherNumberOfLanesBeginsAtTheLowest) {
  positions_.store("a", {40, 30, 50});
  const ShardProgress fewer(positions_, "a", 1, kBounds);
  EXPECT_EQ(fewer.at(0), 30U);
  const ShardProgress more(positions_, "a", 4, kBounds);
  EXPECT_EQ(more.at(3), 30U);
}

TEST_P(SourcePositionsTest, WhatLiesBehindTheEndIsOfRecordsThatAreGone) {
  positions_.store("a", {150, 250, 99});
  const ShardProgress progress(positions_, "a", 3, kBounds);
  EXPECT_EQ(progress.at(0), 100U);
  EXPECT_EQ(progress.at(1), 5U);  // the clock was set back since
  EXPECT_EQ(progress.at(2), 99U);
}

TEST_P(SourcePositionsTest, WhatIsForgottenBeginsAnew) {
  ShardProgress progress(positions_, "a", 1, kBounds);
  progress.move(0, 40, true);
  progress.forget();
  EXPECT_EQ(ShardProgress(positions_, "a", 1, kBounds).at(0), 5U);
}

INSTANTIATE_TEST_SUITE_P(Durable, SourcePositionsTest, testing::Bool());

}  // namespace
}  // namespace magneto::server::feeds
