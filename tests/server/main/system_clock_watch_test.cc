#include "server/main/system_clock_watch.h"

#include <gtest/gtest.h>

#include <vector>

namespace magneto::server::main {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using Steps = std::vector<SystemClockWatch::Step>;

TEST(SystemClockWatch, AStepIsHowFarTheClockWasSet) {
  Steps steps;
  SystemClockWatch::Step ahead = hours(7);
  SystemClockWatch watch([&](SystemClockWatch::Step by) { steps.push_back(by); },
                         [&] { return ahead; });
  ahead -= hours(1);
  watch.look();
  watch.look();
  ahead += milliseconds(20);
  watch.look();
  EXPECT_EQ(steps, (Steps{-hours(1), milliseconds(20)}));
}

TEST(SystemClockWatch, WhatMeasuringErrsByIsNoStep) {
  Steps steps;
  SystemClockWatch::Step ahead{0};
  SystemClockWatch watch([&](SystemClockWatch::Step by) { steps.push_back(by); },
                         [&] { return ahead; });
  ahead = microseconds(999);
  watch.look();
  EXPECT_EQ(steps, Steps{});
}

TEST(SystemClockWatch, BothClocksRunAlike) {
  const SystemClockWatch::Step before = SystemClockWatch::measure();
  EXPECT_LT(std::chrono::abs(SystemClockWatch::measure() - before), milliseconds(100));
}

// The watch sleeps as long as the clock is not set, and ends at once.
TEST(SystemClockWatch, EndsWhileItSleeps) {
  for (int i = 0; i < 50; ++i) {
    SystemClockWatch watch([](SystemClockWatch::Step) {});
  }
}

}  // namespace
}  // namespace magneto::server::main
