#include "server/held_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace magneto::server {
namespace {

constexpr std::int64_t kLong = HeldMemory::kPatience + 1;

class HeldMemoryTest : public testing::Test, public HeldMemory::Owner {
 protected:
  void part_given_up() override { ++given_up_; }
  bool has_moved(const HeldMemory::Part& part) override { return &part == moved_; }
  // Parts outlive no test without being released, as sessions do.
  ~HeldMemoryTest() override {
    for (HeldMemory::Part* part : {&a_, &b_, &c_}) memory_.release(*part);
    EXPECT_EQ(memory_.bytes(), 0U);
  }

  HeldMemory memory_{100};
  int given_up_ = 0;
  const HeldMemory::Part* moved_ = nullptr;
  HeldMemory::Part a_{*this};
  HeldMemory::Part b_{*this};
  HeldMemory::Part c_{*this};
};

TEST_F(HeldMemoryTest, ARequestIsRefusedWhileAllOthersMove) {
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  EXPECT_FALSE(memory_.ask(b_, 50, 0));
  EXPECT_EQ(b_.bytes(), 0U);
  EXPECT_TRUE(memory_.ask(b_, 40, 0));
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  EXPECT_EQ(memory_.bytes(), 100U);
  EXPECT_EQ(given_up_, 0);
}

TEST_F(HeldMemoryTest, TheOneThatMovedLeastForLongestGivesWay) {
  EXPECT_TRUE(memory_.ask(a_, 30, 0));
  EXPECT_TRUE(memory_.ask(b_, 30, 0));
  EXPECT_TRUE(memory_.ask(c_, 30, 0));
  memory_.moved(a_, 1);
  memory_.moved(c_, kLong);
  EXPECT_TRUE(memory_.ask(c_, 50, kLong));
  EXPECT_TRUE(memory_.is_given_up(b_));
  EXPECT_FALSE(memory_.is_given_up(a_));
  EXPECT_FALSE(memory_.ask(b_, 31, kLong));
  EXPECT_EQ(memory_.bytes(), 110U);
  // One given up counts until it is released; then it can begin anew.
  memory_.release(b_);
  EXPECT_EQ(memory_.bytes(), 80U);
  EXPECT_TRUE(memory_.ask(b_, 20, kLong));
  EXPECT_EQ(memory_.take_given_up(), 1U);
  EXPECT_EQ(memory_.take_given_up(), 0U);
}

TEST_F(HeldMemoryTest, OneThatHasMovedHasMorePatience) {
  EXPECT_TRUE(memory_.ask(a_, 30, 0));
  memory_.moved(a_, 0);
  EXPECT_TRUE(memory_.ask(b_, 60, 1));
  EXPECT_TRUE(memory_.ask(c_, 60, 1 + kLong));
  EXPECT_TRUE(memory_.is_given_up(b_));
  memory_.release(b_);
  EXPECT_FALSE(memory_.ask(c_, 80, HeldMemory::kPatienceWithMovers));
  EXPECT_FALSE(memory_.is_given_up(a_));
  EXPECT_TRUE(memory_.ask(c_, 80, HeldMemory::kPatienceWithMovers + 1));
  EXPECT_TRUE(memory_.is_given_up(a_));
}

TEST_F(HeldMemoryTest, AClientThatTheServerLeavesWaitingIsNotSlow) {
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  moved_ = &a_;
  EXPECT_FALSE(memory_.ask(b_, 60, kLong));
  EXPECT_FALSE(memory_.is_given_up(a_));
  moved_ = nullptr;
  EXPECT_FALSE(memory_.ask(b_, 60, kLong + HeldMemory::kPatienceWithMovers));
  EXPECT_FALSE(memory_.is_given_up(a_));
  EXPECT_TRUE(memory_.ask(b_, 60, kLong + HeldMemory::kPatienceWithMovers + 1));
  EXPECT_TRUE(memory_.is_given_up(a_));
}

TEST_F(HeldMemoryTest, AnswersHadBetterWaitUntilSomeoneHasStoodStillForTooLong) {
  EXPECT_TRUE(memory_.has_room(0));
  memory_.demand(a_, 60, 0);
  EXPECT_FALSE(memory_.is_crowded());
  memory_.demand(b_, 60, 1);
  EXPECT_TRUE(memory_.is_crowded());
  EXPECT_FALSE(memory_.has_room(kLong - 1));
  EXPECT_EQ(given_up_, 0);
  EXPECT_FALSE(memory_.has_room(kLong));
  EXPECT_EQ(given_up_, 1);
  EXPECT_FALSE(memory_.has_room(kLong));
  EXPECT_EQ(given_up_, 1);
  memory_.release(a_);
  EXPECT_TRUE(memory_.has_room(kLong));
  EXPECT_FALSE(memory_.is_crowded());
  memory_.set_limit(60);
  EXPECT_TRUE(memory_.is_crowded());
}

TEST_F(HeldMemoryTest, AnAnswerExceedsTheLimitByAQuarterBeforeThoseThatMoveGiveWay) {
  memory_.demand(a_, 60, 0);
  memory_.demand(b_, 60, 0);
  EXPECT_EQ(given_up_, 0);
  memory_.demand(c_, 60, 0);
  EXPECT_EQ(given_up_, 1);
  EXPECT_TRUE(memory_.is_given_up(a_));
  // Its own size is no reason to give it up: it may be the only one.
  memory_.demand(c_, 500, 0);
  EXPECT_TRUE(memory_.is_given_up(b_));
  EXPECT_FALSE(memory_.is_given_up(c_));
}

TEST_F(HeldMemoryTest, OneThatWaitsForTheServerIsNotGivenUp) {
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  memory_.keep(a_);
  EXPECT_FALSE(memory_.ask(b_, 60, 100 * kLong));
  memory_.moved(a_, 0);
  EXPECT_FALSE(memory_.ask(b_, 60, 100 * kLong));
  memory_.demand(a_, 60, 100 * kLong);
  EXPECT_TRUE(memory_.ask(b_, 60, 200 * kLong));
  EXPECT_TRUE(memory_.is_given_up(a_));
}

TEST_F(HeldMemoryTest, WhoDoesNotKeepThePaceIsGivenUpWhileMemoryIsTight) {
  EXPECT_TRUE(memory_.ask(a_, 30, 0));
  EXPECT_TRUE(memory_.ask(b_, 30, 0));
  memory_.drop_stalled(HeldMemory::kPace);
  EXPECT_EQ(given_up_, 0);
  memory_.drop_stalled(HeldMemory::kPace + 1);
  EXPECT_EQ(given_up_, 1);  // half of the limit is free then
  EXPECT_TRUE(memory_.is_given_up(a_));
}

TEST_F(HeldMemoryTest, TellsTheMostItHeld) {
  EXPECT_TRUE(memory_.ask(a_, 70, 0));
  memory_.release(a_);
  EXPECT_EQ(memory_.take_peak(), 70U);
  EXPECT_EQ(memory_.take_peak(), 0U);
  memory_.set_limit(10);
  EXPECT_FALSE(memory_.ask(a_, 11, 0));
}

// Some threads, each with parts of its own, as groups have; under TSan it shows races.
TEST(HeldMemoryThreads, KeepCount) {
  struct Counter final : HeldMemory::Owner {
    void part_given_up() override { ++count; }
    bool has_moved(const HeldMemory::Part&) override { return false; }
    std::atomic<int> count{0};
  };
  HeldMemory memory(1'000);
  Counter counter;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<HeldMemory::Part>> parts;
    for (int i = 0; i < 20; ++i) parts.push_back(std::make_unique<HeldMemory::Part>(counter));
    for (std::int64_t now = 0; now < 50'000; ++now) {
      HeldMemory::Part& part = *parts[random() % parts.size()];
      switch (random() % 6) {
        case 0:
          memory.demand(part, random() % 200, now);
          break;
        case 1:
          memory.release(part);
          break;
        case 2:
          memory.keep(part);
          break;
        case 3:
          memory.moved(part, now);
          break;
        default:
          memory.ask(part, random() % 200, now);
      }
      if (memory.is_given_up(part)) memory.release(part);
    }
    for (const auto& part : parts) memory.release(*part);
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  }
  EXPECT_EQ(memory.bytes(), 0U);
  EXPECT_GT(counter.count, 0);
  EXPECT_EQ(memory.take_given_up(), static_cast<std::size_t>(counter.count));
}

}  // namespace
}  // namespace magneto::server
