#include "storage/background/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <vector>

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;

void report_nothing(std::string_view warning) { ADD_FAILURE() << warning; }

TEST(WorkerTest, RunsTasksInOrder) {
  Worker worker("test", report_nothing);
  std::vector<int> ran;
  for (int i = 0; i < 100; ++i) {
    worker.post([&ran, i](const std::stop_token&) { ran.push_back(i); });
  }
  worker.drain();
  ASSERT_EQ(ran.size(), 100U);
  EXPECT_TRUE(std::is_sorted(ran.begin(), ran.end()));
}

TEST(WorkerTest, RunsATaskAtItsTime) {
  Worker worker("test", report_nothing);
  const auto start = std::chrono::steady_clock::now();
  std::promise<std::chrono::steady_clock::time_point> late, soon;
  worker.post_after(milliseconds(40), [&](const std::stop_token&) {
    late.set_value(std::chrono::steady_clock::now());
  });
  worker.post_after(milliseconds(10), [&](const std::stop_token&) {
    soon.set_value(std::chrono::steady_clock::now());
  });
  const auto soon_at = soon.get_future().get();
  const auto late_at = late.get_future().get();
  EXPECT_GE(soon_at - start, milliseconds(10));
  EXPECT_GE(late_at - start, milliseconds(40));
  EXPECT_LT(soon_at, late_at);
}

TEST(WorkerTest, ATaskMayPostAnother) {
  Worker worker("test", report_nothing);
  std::promise<void> ran;
  worker.post([&](const std::stop_token&) {
    worker.post([&](const std::stop_token&) { ran.set_value(); });
  });
  ran.get_future().get();
}

TEST(WorkerTest, ReportsAFailureAndTriesAgain) {
  std::vector<std::string> reports;
  Worker worker("test", [&](std::string_view warning) { reports.emplace_back(warning); });
  std::atomic<int> runs{0};
  worker.post([&](const std::stop_token&) {
    if (++runs == 1) throw std::runtime_error("no luck");
  });
  worker.drain();  // waits for the second run
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(reports, (std::vector<std::string>{"test: no luck; trying again"}));
}

TEST(WorkerTest, StopEndsTheTaskUnderWayAndDropsTheOthers) {
  std::atomic<bool> second_ran{false};
  std::promise<void> began;
  bool stopped = false;
  Worker worker("test", report_nothing);
  worker.post([&](const std::stop_token& stop) {
    began.set_value();
    while (!stop.stop_requested()) std::this_thread::yield();
    stopped = true;
  });
  worker.post([&](const std::stop_token&) { second_ran = true; });
  worker.post_after(std::chrono::hours(1), [&](const std::stop_token&) { second_ran = true; });
  began.get_future().get();
  worker.stop();
  EXPECT_TRUE(stopped);
  EXPECT_FALSE(second_ran);
  worker.post([&](const std::stop_token&) { second_ran = true; });
  worker.drain();
  EXPECT_FALSE(second_ran);
}

}  // namespace
}  // namespace magneto::storage
