#include "server/feeds/event_sources/source_positions.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/engine/memory/memory_engine.h"

namespace magneto::server::feeds {
namespace {

constexpr PositionBounds kBounds{.begin = 5, .end = 100, .now = 200};

class SourcePositionsTest : public testing::Test {
 protected:
  void store(const std::vector<std::uint64_t>& positions) { positions_.store_all("a", positions); }

  DeliveryPositions positions_{std::make_shared<storage::Notes>(storage::make_memory_engine()),
                               "event-sources",
                               [](std::string_view what) { ADD_FAILURE() << what; }};
};

TEST_F(SourcePositionsTest, LanesAreKeptApart) {
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

TEST_F(SourcePositionsTest, AnotherNumberOfLanesBeginsAtTheLowest) {
  store({40, 30, 50});
  const ShardProgress fewer(positions_, "a", 1, kBounds);
  EXPECT_EQ(fewer.at(0), 30U);
  const ShardProgress more(positions_, "a", 4, kBounds);
  EXPECT_EQ(more.at(3), 30U);
}

TEST_F(SourcePositionsTest, WhatLiesBehindTheEndIsOfRecordsThatAreGone) {
  store({150, 250, 99});
  const ShardProgress progress(positions_, "a", 3, kBounds);
  EXPECT_EQ(progress.at(0), 100U);
  EXPECT_EQ(progress.at(1), 5U);  // the clock was set back since
  EXPECT_EQ(progress.at(2), 99U);
}

TEST(ShardProgressTest, ADamagedNoteBeginsAtTheStart) {
  const auto notes = std::make_shared<storage::Notes>(storage::make_memory_engine());
  int warnings = 0;
  DeliveryPositions positions(notes, "event-sources", [&](std::string_view) { ++warnings; });
  notes->put("event-sources/a.position", "40 x\n1\n", storage::Notes::Durability::kProcess);
  EXPECT_EQ(ShardProgress(positions, "a", 2, kBounds).lowest(), 5U);
  EXPECT_EQ(warnings, 1);
}

TEST_F(SourcePositionsTest, WhatIsForgottenBeginsAnew) {
  ShardProgress progress(positions_, "a", 1, kBounds);
  progress.move(0, 40, true);
  progress.forget();
  EXPECT_EQ(ShardProgress(positions_, "a", 1, kBounds).at(0), 5U);
}

}  // namespace
}  // namespace magneto::server::feeds
