#include "storage/background/retrying_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::steady_clock;

void report_nothing(std::string_view warning) { ADD_FAILURE() << warning; }

TEST(RetryingThreadTest, TakesStepsUntilItIsStopped) {
  std::atomic<int> steps{0};
  std::promise<void> enough;
  RetryingThread thread("test", report_nothing, [&](const std::stop_token&) {
    if (++steps == 100) enough.set_value();
    return milliseconds(0);
  });
  thread.start();
  enough.get_future().get();
  thread.stop();
  const int taken = steps;
  thread.stop();
  EXPECT_EQ(steps, taken);
}

TEST(RetryingThreadTest, RestsAsLongAsAStepSaysAndEndsAtOnce) {
  std::vector<Time::time_point> steps;
  std::promise<void> second;
  RetryingThread thread("test", report_nothing, [&](const std::stop_token&) {
    steps.push_back(Time::now());
    if (steps.size() == 1) return milliseconds(30);
    second.set_value();
    return milliseconds(1'000'000);
  });
  thread.start();
  second.get_future().get();
  thread.stop();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_GE(steps[1] - steps[0], milliseconds(30));
}

TEST(RetryingThreadTest, ReportsAFailureAndTriesAgainLater) {
  std::vector<std::string> reports;
  std::vector<Time::time_point> steps;
  std::promise<void> second;
  RetryingThread thread(
      "work", [&](std::string_view warning) { reports.emplace_back(warning); },
      [&](const std::stop_token&) {
        steps.push_back(Time::now());
        if (steps.size() == 1) throw std::runtime_error("no luck");
        second.set_value();
        return milliseconds(1'000'000);
      });
  thread.start();
  second.get_future().get();
  thread.stop();
  EXPECT_GE(steps[1] - steps[0], kRetryDelay);
  EXPECT_EQ(reports, (std::vector<std::string>{"work: no luck; trying again"}));
}

TEST(RetryingThreadTest, BeginsOnce) {
  std::atomic<int> steps{0};
  std::promise<void> done;
  RetryingThread thread("test", report_nothing, [&](const std::stop_token&) {
    if (++steps == 2) done.set_value();
    return milliseconds(steps < 2 ? 0 : 1'000'000);
  });
  for (int i = 0; i < 3; ++i) thread.start();
  done.get_future().get();
  thread.stop();
  EXPECT_EQ(steps, 2);
}

TEST(RetryingThreadTest, DoesNotBeginAfterItsEnd) {
  std::atomic<bool> is_run{false};
  {
    RetryingThread thread("test", report_nothing, [&](const std::stop_token&) {
      is_run = true;
      return milliseconds(0);
    });
    thread.stop();
    thread.start();
  }
  EXPECT_FALSE(is_run);
}

TEST(RetryingThreadTest, EndsWithoutHavingBegun) {
  RetryingThread thread("test", report_nothing,
                        [](const std::stop_token&) { return milliseconds(0); });
  thread.stop();
}

}  // namespace
}  // namespace magneto::storage
