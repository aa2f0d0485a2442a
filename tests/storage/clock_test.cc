#include "storage/clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "storage/forward_time.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::years;

constexpr Clock::TimePoint k2030 = std::chrono::sys_days(std::chrono::year(2030) / 1 / 1);

// An offset is the difference of two reads of the time, and this thread may stand still between
// them.
bool is_real(const Clock& clock) {
  for (int i = 0; i < 1'000; ++i) {
    if (std::chrono::abs(clock.offset()) < milliseconds(1)) return true;
  }
  return false;
}

TEST(ClockTest, IsRealTimeAtFirst) {
  const Clock clock;
  EXPECT_TRUE(is_real(clock));
  EXPECT_FALSE(clock.is_frozen());
}

TEST(ClockTest, GoesOnFromWhereItWasSet) {
  Clock clock;
  clock.set(k2030);
  EXPECT_GE(clock.now(), k2030);
  EXPECT_LT(clock.now(), k2030 + minutes(1));
  clock.advance(hours(25));
  EXPECT_GE(clock.now(), k2030 + hours(25));
  const Clock::TimePoint before = clock.now();
  std::this_thread::sleep_for(milliseconds(2));
  EXPECT_GE(clock.now(), before + milliseconds(2));
  clock.reset();
  EXPECT_TRUE(is_real(clock));
}

TEST(ClockTest, FrozenItStandsStillAndMovesByHandAlone) {
  Clock clock;
  clock.freeze();
  const Clock::TimePoint frozen = clock.now();
  std::this_thread::sleep_for(milliseconds(2));
  EXPECT_EQ(clock.now(), frozen);
  clock.advance(seconds(10));
  EXPECT_EQ(clock.now(), frozen + seconds(10));
  clock.advance(-microseconds(1));
  EXPECT_EQ(clock.now(), frozen + seconds(10) - microseconds(1));
  clock.set(k2030);
  EXPECT_EQ(clock.now(), k2030);
  EXPECT_EQ(clock.time_until(k2030), microseconds(0));
  EXPECT_EQ(clock.time_until(k2030 + microseconds(1)), std::nullopt);
  clock.unfreeze();
  EXPECT_FALSE(clock.is_frozen());
  EXPECT_GE(clock.now(), k2030);
  EXPECT_LT(clock.now(), k2030 + minutes(1));
  EXPECT_GT(clock.time_until(k2030 + hours(1)), minutes(59));
  clock.freeze();
  clock.reset();
  EXPECT_FALSE(clock.is_frozen());
  EXPECT_TRUE(is_real(clock));
}

TEST(ClockTest, StandsInTheYears1970To9999) {
  Clock clock;
  clock.freeze();
  clock.set(Clock::kFirst);
  EXPECT_EQ(clock.now(), Clock::kFirst);
  EXPECT_EQ(clock.epoch_seconds(), 0);
  EXPECT_THROW(clock.advance(-microseconds(1)), ClockOutOfRange);
  EXPECT_THROW(clock.set(Clock::kFirst - microseconds(1)), ClockOutOfRange);
  EXPECT_EQ(clock.now(), Clock::kFirst);
  clock.set(Clock::kLast);
  EXPECT_EQ(clock.now(), Clock::kLast);
  EXPECT_THROW(clock.advance(microseconds(1)), ClockOutOfRange);
  EXPECT_THROW(clock.set(Clock::TimePoint::max()), ClockOutOfRange);
  EXPECT_THROW(clock.advance(hours::max()), ClockOutOfRange);
  EXPECT_THROW(clock.advance(hours::min()), ClockOutOfRange);
  EXPECT_THROW(clock.advance(std::chrono::duration<double>(0.0 / 0.0)), ClockOutOfRange);
  EXPECT_EQ(clock.now(), Clock::kLast);
}

TEST(ClockTest, CallsWhoWatchesAfterEachTurn) {
  Clock clock;
  clock.freeze();
  clock.set(k2030);
  std::vector<Clock::TimePoint> seen;
  {
    const Clock::Watch watch(clock, [&](Clock::TimePoint before) {
      seen.push_back(before);
      seen.push_back(clock.now());
    });
    clock.advance(hours(1));
    EXPECT_THROW(clock.advance(years(9000)), ClockOutOfRange);
    clock.unfreeze();
    clock.freeze();
  }
  clock.advance(hours(1));
  ASSERT_EQ(seen.size(), 6U);
  EXPECT_EQ(seen[0], k2030);
  EXPECT_EQ(seen[1], k2030 + hours(1));
}

TEST(ClockTest, ManyTurnItAndWatchItAtOnce) {
  Clock clock;
  clock.freeze();
  const Clock::TimePoint begin = clock.now();
  std::atomic<int> calls{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 500; ++turn) {
        const Clock::Watch watch(clock, [&](Clock::TimePoint) { ++calls; });
        clock.advance(seconds(1));
        EXPECT_GE(clock.now(), begin);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(clock.now(), begin + seconds(2'000));
  EXPECT_GE(calls, 2'000);
}

TEST(ForwardTimeTest, GoesOnWhereTheClockIsSetBack) {
  ForwardTime time;
  EXPECT_EQ(time.at(k2030, Clock::kFirst), k2030);
  EXPECT_EQ(time.at(k2030, k2030 + milliseconds(500)), k2030) << "many in a moment";
  const Clock::TimePoint latest = k2030 + years(5);
  EXPECT_EQ(time.at(k2030, latest), latest);
  EXPECT_EQ(time.at(k2030 + hours(1), latest), latest + hours(1));
  EXPECT_EQ(time.lead(), latest - k2030);
  EXPECT_EQ(time.at(k2030 + years(9), latest), latest + years(9));
}

}  // namespace
}  // namespace magneto::storage
