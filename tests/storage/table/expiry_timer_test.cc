#include "storage/table/expiry_timer.h"

#include <gtest/gtest.h>

#include <thread>

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Clock::TimePoint at(milliseconds since_epoch) { return Clock::TimePoint(since_epoch); }

TEST(ExpiredBefore, IsAMomentAfterTheSecondBegan) {
  EXPECT_EQ(expired_before(at(milliseconds(5'000)), {}), 5);
  EXPECT_EQ(expired_before(at(milliseconds(5'001)), {}), 6);
  EXPECT_EQ(expired_before(at(milliseconds(5'001)), milliseconds(1)), 5);
  EXPECT_EQ(expired_before(at(milliseconds(5'000)), seconds(2)), 3);
}

class ExpiryTimerTest : public testing::Test {
 protected:
  std::int64_t now() const { return expired_before(clock_.now(), {}); }
  // Whether the timer goes off within `patience`.
  bool rings(milliseconds patience, milliseconds delay = {}) {
    std::atomic<bool> rang{false};
    std::jthread waiting([&](const std::stop_token& stop) {
      timer_.wait(clock_, delay, stop);
      rang = !stop.stop_requested();
    });
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!rang && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    return rang;
  }

  Clock clock_;
  ExpiryTimer timer_;
};

TEST_F(ExpiryTimerTest, RingsAtFirstAndThenForTheFirstExpiry) {
  EXPECT_TRUE(rings(seconds(20)));
  timer_.clear();
  timer_.set(kNever);
  EXPECT_FALSE(rings(milliseconds(20)));
  timer_.note(now() + 100);
  timer_.note(now() + 50);
  timer_.note(now() + 80);
  EXPECT_FALSE(rings(milliseconds(20)));
  clock_.advance(seconds(52));
  EXPECT_TRUE(rings(seconds(20)));
}

TEST_F(ExpiryTimerTest, WhatIsAnnouncedDuringTheSearchCounts) {
  timer_.clear();
  timer_.note(now() - 10);
  timer_.set(now() + 100);
  EXPECT_TRUE(rings(seconds(20)));
  timer_.clear();
  timer_.set(now() + 100);
  EXPECT_FALSE(rings(milliseconds(20)));
}

TEST_F(ExpiryTimerTest, AnAnnouncementWakesTheWaitingThread) {
  timer_.clear();
  timer_.set(kNever);
  std::jthread writer([&] {
    std::this_thread::sleep_for(milliseconds(20));
    timer_.note(0);
  });
  EXPECT_TRUE(rings(seconds(20)));
}

TEST_F(ExpiryTimerTest, RingsOnlyAfterTheDelay) {
  timer_.clear();
  timer_.set(now() - 10);
  EXPECT_FALSE(rings(milliseconds(20), seconds(60)));
  clock_.advance(seconds(55));
  EXPECT_TRUE(rings(seconds(20), seconds(60)));
}

TEST_F(ExpiryTimerTest, RingsOnTimeWithoutAMovedClock) {
  timer_.clear();
  const std::int64_t expiry = now();  // up to a second from now
  timer_.set(expiry);
  EXPECT_TRUE(rings(seconds(20)));
  EXPECT_GT(clock_.now(), Clock::TimePoint(seconds(expiry)));
}

}  // namespace
}  // namespace magneto::storage
