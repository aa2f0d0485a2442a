#include "server/feeds/event_sources/step_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace magneto::server::feeds {
namespace {

class StepQueueTest : public testing::Test {
 protected:
  // The queue never dereferences a slot here.
  static LaneSlot* slot(std::size_t mapping) {
    return reinterpret_cast<LaneSlot*>(8 + 8 * mapping);
  }
  void add(std::size_t mapping, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) queue_.add(mapping, slot(mapping));
  }
  // How many of each begin before none may.
  std::array<std::size_t, 4> begin_all() {
    std::array<std::size_t, 4> begun{};
    while (queue_.has_next()) {
      const StepQueue::Step step = queue_.take();
      EXPECT_EQ(step.slot, slot(step.mapping));
      ++begun[step.mapping];
    }
    EXPECT_EQ(queue_.take().slot, nullptr);
    return begun;
  }

  StepQueue queue_{4};
};

TEST_F(StepQueueTest, MappingsTakeTurns) {
  add(0, 3);
  add(1, 1);
  add(2, 2);
  std::vector<std::size_t> turns;
  while (queue_.has_next()) turns.push_back(queue_.take().mapping);
  EXPECT_EQ(turns, (std::vector<std::size_t>{0, 1, 2, 0, 2, 0}));
  EXPECT_EQ(queue_.size(), 0U);
  EXPECT_EQ(queue_.running(), 6U);
}

TEST_F(StepQueueTest, AloneAMappingLeavesAQuarter) {
  add(0, 100);
  EXPECT_EQ(begin_all()[0], 48U);
  EXPECT_EQ(queue_.size(), 52U);
  add(1, 1);
  EXPECT_EQ(begin_all()[1], 1U);
}

TEST_F(StepQueueTest, SeveralLeaveSomeForOneThatHasNone) {
  for (std::size_t mapping = 0; mapping < 3; ++mapping) add(mapping, 100);
  const auto begun = begin_all();
  for (std::size_t mapping = 0; mapping < 3; ++mapping) {
    EXPECT_GE(begun[mapping], 19U);
    EXPECT_LE(begun[mapping], 20U);
  }
  add(3, 1);
  EXPECT_EQ(begin_all()[3], 1U);
  queue_.note_end(3);
  for (std::size_t i = 0; i < begun[0]; ++i) queue_.note_end(0);
  EXPECT_TRUE(queue_.has_next());
}

TEST_F(StepQueueTest, WhatIsClearedWaitsNoMore) {
  add(0, 70);
  EXPECT_EQ(begin_all()[0], 48U);
  EXPECT_EQ(queue_.clear().size(), 22U);
  EXPECT_FALSE(queue_.has_next());
  EXPECT_EQ(queue_.running(), 48U);
}

}  // namespace
}  // namespace magneto::server::feeds
