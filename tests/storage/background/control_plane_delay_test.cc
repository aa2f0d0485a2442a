#include "storage/background/control_plane_delay.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

class ControlPlaneDelayTest : public testing::Test {
 protected:
  Clock clock_;
  Worker timers_{"test", [](std::string_view warning) { ADD_FAILURE() << warning; }};
};

TEST_F(ControlPlaneDelayTest, RunsATaskWhenTheClockSaysSo) {
  ControlPlaneDelay delay(hours(1), clock_, timers_);
  EXPECT_TRUE(delay.is_set());
  std::atomic<bool> has_run{false};
  std::promise<void> ran;
  delay.run_at_end([&](const std::stop_token&) {
    has_run = true;
    ran.set_value();
  });
  clock_.advance(minutes(59));
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_FALSE(has_run);
  clock_.advance(minutes(2));
  ran.get_future().get();
}

TEST_F(ControlPlaneDelayTest, KnowsWhatHasEnded) {
  const ControlPlaneDelay delay(hours(1), clock_, timers_);
  const Clock::TimePoint began = clock_.now();
  const Clock::TimePoint end = delay.end();
  EXPECT_TRUE(delay.lasts_since(began));
  EXPECT_FALSE(delay.has_come(end));
  clock_.advance(minutes(61));
  EXPECT_FALSE(delay.lasts_since(began));
  EXPECT_TRUE(delay.has_come(end));
}

TEST_F(ControlPlaneDelayTest, WithoutOneEverythingEndsAtOnce) {
  ControlPlaneDelay delay(milliseconds(0), clock_, timers_);
  EXPECT_FALSE(delay.is_set());
  EXPECT_FALSE(delay.lasts_since(clock_.now()));
  std::promise<void> ran;
  delay.run_at_end([&](const std::stop_token&) { ran.set_value(); });
  ran.get_future().get();
}

}  // namespace
}  // namespace magneto::storage
