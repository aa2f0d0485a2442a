#include "storage/table/expiry_timer.h"

#include <gtest/gtest.h>

#include <thread>

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

Clock::TimePoint at(milliseconds since_epoch) { return Clock::TimePoint(since_epoch); }

// An item that expires at 5 is due when the current second is greater than 5.
TEST(ExpiredBefore, ComparesWholeSeconds) {
  EXPECT_EQ(expired_before(at(milliseconds(5'000)), {}), 5);
  EXPECT_EQ(expired_before(at(milliseconds(5'999)), {}), 5);
  EXPECT_EQ(expired_before(at(milliseconds(6'000)), {}), 6);
  EXPECT_EQ(expired_before(at(milliseconds(6'000)), milliseconds(1)), 5);
  EXPECT_EQ(expired_before(at(milliseconds(8'000)), seconds(2)), 6);
}

TEST(ExpiredAt, IsTheBeginOfTheNextSecondAfterTheDelay) {
  for (const milliseconds delay : {milliseconds(0), milliseconds(1), milliseconds(10'000)}) {
    const Clock::TimePoint due = expired_at(5, delay).value();
    EXPECT_EQ(due, at(milliseconds(6'000) + delay));
    EXPECT_GT(expired_before(due, delay), 5);
    EXPECT_EQ(expired_before(due - Clock::Duration(1), delay), 5);
  }
  EXPECT_EQ(expired_at(kNever, {}), std::nullopt);
}

class ExpiryTimerTest : public testing::Test {
 protected:
  std::int64_t now() const { return expired_before(clock_.now(), {}); }
  // Whether the timer goes off within `patience`.
  bool rings(milliseconds patience, milliseconds delay = {}) {
    std::atomic<bool> rang{false};
    std::jthread waiting([&](const std::stop_token& stop) {
      timer_.wait(
          clock_, [&] { return delay; }, stop);
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
  EXPECT_TRUE(rings(minutes(2)));
  timer_.clear();
  timer_.set(kNever);
  EXPECT_FALSE(rings(milliseconds(20)));
  timer_.note(now() + 100);
  timer_.note(now() + 50);
  timer_.note(now() + 80);
  EXPECT_FALSE(rings(milliseconds(20)));
  clock_.advance(seconds(52));
  EXPECT_TRUE(rings(minutes(2)));
}

TEST_F(ExpiryTimerTest, WhatIsAnnouncedDuringTheSearchCounts) {
  timer_.clear();
  timer_.note(now() - 10);
  timer_.set(now() + 100);
  EXPECT_TRUE(rings(minutes(2)));
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
  EXPECT_TRUE(rings(minutes(2)));
}

TEST_F(ExpiryTimerTest, RingsOnlyAfterTheDelay) {
  timer_.clear();
  timer_.set(now() - 10);
  EXPECT_FALSE(rings(milliseconds(20), seconds(60)));
  clock_.advance(seconds(55));
  EXPECT_TRUE(rings(minutes(2), seconds(60)));
}

TEST_F(ExpiryTimerTest, RingsOnTimeWithoutAMovedClock) {
  timer_.clear();
  const std::int64_t expiry = now();  // up to a second from now
  timer_.set(expiry);
  EXPECT_TRUE(rings(minutes(2)));
  EXPECT_GE(clock_.now(), Clock::TimePoint(seconds(expiry + 1)));
}

}  // namespace
}  // namespace magneto::storage
