#include "server/http/connection_memory_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace magneto::server::http {
namespace {

constexpr std::int64_t kLong = ConnectionMemoryBudget::kPatience + 1;

class ConnectionMemoryBudgetTest : public testing::Test, public ConnectionMemoryBudget::Owner {
 protected:
  void part_evicted() override { ++evicted_; }
  bool has_moved(const ConnectionMemoryBudget::Part& part) override { return &part == moved_; }
  // Parts outlive no test without being released, as sessions do.
  ~ConnectionMemoryBudgetTest() override {
    for (ConnectionMemoryBudget::Part* part : {&a_, &b_, &c_}) memory_.release(*part);
    EXPECT_EQ(memory_.bytes(), 0U);
  }

  ConnectionMemoryBudget memory_{100};
  int evicted_ = 0;
  const ConnectionMemoryBudget::Part* moved_ = nullptr;
  ConnectionMemoryBudget::Part a_{*this};
  ConnectionMemoryBudget::Part b_{*this};
  ConnectionMemoryBudget::Part c_{*this};
};

TEST_F(ConnectionMemoryBudgetTest, ARequestIsRefusedWhileAllOthersMove) {
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  EXPECT_FALSE(memory_.ask(b_, 50, 0));
  EXPECT_EQ(b_.bytes(), 0U);
  EXPECT_TRUE(memory_.ask(b_, 40, 0));
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  EXPECT_EQ(memory_.bytes(), 100U);
  EXPECT_EQ(evicted_, 0);
}

TEST_F(ConnectionMemoryBudgetTest, TheOneThatMovedLeastForLongestGivesWay) {
  EXPECT_TRUE(memory_.ask(a_, 30, 0));
  EXPECT_TRUE(memory_.ask(b_, 30, 0));
  EXPECT_TRUE(memory_.ask(c_, 30, 0));
  memory_.moved(a_, 1);
  memory_.moved(c_, kLong);
  EXPECT_TRUE(memory_.ask(c_, 50, kLong));
  EXPECT_TRUE(memory_.is_evicted(b_));
  EXPECT_FALSE(memory_.is_evicted(a_));
  EXPECT_FALSE(memory_.ask(b_, 31, kLong));
  EXPECT_EQ(memory_.bytes(), 110U);
  // An evicted part counts until it is released. Then it can hold memory again.
  memory_.release(b_);
  EXPECT_EQ(memory_.bytes(), 80U);
  EXPECT_TRUE(memory_.ask(b_, 20, kLong));
  EXPECT_EQ(memory_.take_evicted(), 1U);
  EXPECT_EQ(memory_.take_evicted(), 0U);
}

TEST_F(ConnectionMemoryBudgetTest, OneThatHasMovedHasMorePatience) {
  EXPECT_TRUE(memory_.ask(a_, 30, 0));
  memory_.moved(a_, 0);
  EXPECT_TRUE(memory_.ask(b_, 60, 1));
  EXPECT_TRUE(memory_.ask(c_, 60, 1 + kLong));
  EXPECT_TRUE(memory_.is_evicted(b_));
  memory_.release(b_);
  EXPECT_FALSE(memory_.ask(c_, 80, ConnectionMemoryBudget::kPatienceWithMovers));
  EXPECT_FALSE(memory_.is_evicted(a_));
  EXPECT_TRUE(memory_.ask(c_, 80, ConnectionMemoryBudget::kPatienceWithMovers + 1));
  EXPECT_TRUE(memory_.is_evicted(a_));
}

TEST_F(ConnectionMemoryBudgetTest, AClientThatTheServerLeavesWaitingIsNotSlow) {
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  moved_ = &a_;
  EXPECT_FALSE(memory_.ask(b_, 60, kLong));
  EXPECT_FALSE(memory_.is_evicted(a_));
  moved_ = nullptr;
  EXPECT_FALSE(memory_.ask(b_, 60, kLong + ConnectionMemoryBudget::kPatienceWithMovers));
  EXPECT_FALSE(memory_.is_evicted(a_));
  EXPECT_TRUE(memory_.ask(b_, 60, kLong + ConnectionMemoryBudget::kPatienceWithMovers + 1));
  EXPECT_TRUE(memory_.is_evicted(a_));
}

TEST_F(ConnectionMemoryBudgetTest, AnswersHadBetterWaitUntilSomeoneHasStoodStillForTooLong) {
  EXPECT_TRUE(memory_.has_room(0));
  memory_.demand(a_, 60, 0);
  EXPECT_FALSE(memory_.is_crowded());
  memory_.demand(b_, 60, 1);
  EXPECT_TRUE(memory_.is_crowded());
  EXPECT_FALSE(memory_.has_room(kLong - 1));
  EXPECT_EQ(evicted_, 0);
  EXPECT_FALSE(memory_.has_room(kLong));
  EXPECT_EQ(evicted_, 1);
  EXPECT_FALSE(memory_.has_room(kLong));
  EXPECT_EQ(evicted_, 1);
  memory_.release(a_);
  EXPECT_TRUE(memory_.has_room(kLong));
  EXPECT_FALSE(memory_.is_crowded());
  memory_.set_limit(60);
  EXPECT_TRUE(memory_.is_crowded());
}

TEST_F(ConnectionMemoryBudgetTest, AnAnswerExceedsTheLimitByAQuarterBeforeThoseThatMoveGiveWay) {
  memory_.demand(a_, 60, 0);
  memory_.demand(b_, 60, 0);
  EXPECT_EQ(evicted_, 0);
  memory_.demand(c_, 60, 0);
  EXPECT_EQ(evicted_, 1);
  EXPECT_TRUE(memory_.is_evicted(a_));
  // A part is not evicted because of its own size: it may be the only one.
  memory_.demand(c_, 500, 0);
  EXPECT_TRUE(memory_.is_evicted(b_));
  EXPECT_FALSE(memory_.is_evicted(c_));
}

TEST_F(ConnectionMemoryBudgetTest, OneThatWaitsForTheServerIsNotGivenUp) {
  EXPECT_TRUE(memory_.ask(a_, 60, 0));
  memory_.keep(a_);
  EXPECT_FALSE(memory_.ask(b_, 60, 100 * kLong));
  memory_.moved(a_, 0);
  EXPECT_FALSE(memory_.ask(b_, 60, 100 * kLong));
  memory_.demand(a_, 60, 100 * kLong);
  EXPECT_TRUE(memory_.ask(b_, 60, 200 * kLong));
  EXPECT_TRUE(memory_.is_evicted(a_));
}

TEST_F(ConnectionMemoryBudgetTest, WhoDoesNotKeepThePaceIsGivenUpWhileMemoryIsTight) {
  EXPECT_TRUE(memory_.ask(a_, 30, 0));
  EXPECT_TRUE(memory_.ask(b_, 30, 0));
  memory_.drop_stalled(ConnectionMemoryBudget::kPace);
  EXPECT_EQ(evicted_, 0);
  memory_.drop_stalled(ConnectionMemoryBudget::kPace + 1);
  EXPECT_EQ(evicted_, 1);  // half of the limit is free then
  EXPECT_TRUE(memory_.is_evicted(a_));
}

TEST_F(ConnectionMemoryBudgetTest, TellsTheMostItHeld) {
  EXPECT_TRUE(memory_.ask(a_, 70, 0));
  memory_.release(a_);
  EXPECT_EQ(memory_.take_peak(), 70U);
  EXPECT_EQ(memory_.take_peak(), 0U);
  memory_.set_limit(10);
  EXPECT_FALSE(memory_.ask(a_, 11, 0));
}

// Several threads, each with its own parts, like the groups. TSan would report races.
TEST(ConnectionMemoryBudgetThreads, KeepCount) {
  struct Counter final : ConnectionMemoryBudget::Owner {
    void part_evicted() override { ++count; }
    bool has_moved(const ConnectionMemoryBudget::Part&) override { return false; }
    std::atomic<int> count{0};
  };
  ConnectionMemoryBudget memory(1'000);
  Counter counter;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::unique_ptr<ConnectionMemoryBudget::Part>> parts;
    for (int i = 0; i < 20; ++i)
      parts.push_back(std::make_unique<ConnectionMemoryBudget::Part>(counter));
    for (std::int64_t now = 0; now < 50'000; ++now) {
      ConnectionMemoryBudget::Part& part = *parts[random() % parts.size()];
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
      if (memory.is_evicted(part)) memory.release(part);
    }
    for (const auto& part : parts) memory.release(*part);
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  }
  EXPECT_EQ(memory.bytes(), 0U);
  EXPECT_GT(counter.count, 0);
  EXPECT_EQ(memory.take_evicted(), static_cast<std::size_t>(counter.count));
}

}  // namespace
}  // namespace magneto::server::http
