#include "storage/background/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace magneto::storage {
namespace {

using std::chrono::milliseconds;

void report_no_work(std::string_view warning) { ADD_FAILURE() << warning; }

// A worker with its own thread, and one as a client.
class WorkerTest : public testing::TestWithParam<bool> {
 protected:
  SharedThread* shared() { return GetParam() ? &thread_ : nullptr; }

 private:
  SharedThread thread_;
};
INSTANTIATE_TEST_SUITE_P(Threads, WorkerTest, testing::Bool(), [](const auto& tested) {
  return std::string(tested.param ? "Client" : "OwnThread");
});

TEST_P(WorkerTest, RunsTasksInOrder) {
  Worker worker("test", report_no_work, shared());
  std::vector<int> ran;
  for (int i = 0; i < 100; ++i) {
    worker.post([&ran, i](const std::stop_token&) { ran.push_back(i); });
  }
  worker.drain();
  ASSERT_EQ(ran.size(), 100U);
  EXPECT_TRUE(std::is_sorted(ran.begin(), ran.end()));
}

TEST_P(WorkerTest, RunsATaskAtItsTime) {
  Worker worker("test", report_no_work, shared());
  const auto start = std::chrono::steady_clock::now();
  std::promise<std::chrono::steady_clock::time_point> late, soon;
  worker.post_after(milliseconds(1'000), [&](const std::stop_token&) {
    late.set_value(std::chrono::steady_clock::now());
  });
  worker.post_after(milliseconds(10), [&](const std::stop_token&) {
    soon.set_value(std::chrono::steady_clock::now());
  });
  const auto posted = std::chrono::steady_clock::now();
  const auto soon_at = soon.get_future().get();
  const auto late_at = late.get_future().get();
  EXPECT_GE(soon_at - start, milliseconds(10));
  EXPECT_GE(late_at - start, milliseconds(1'000));
  // The order differs only if this thread stood still between the two posts.
  if (posted - start < milliseconds(900)) {
    EXPECT_LT(soon_at, late_at);
  }
}

TEST_P(WorkerTest, ATaskMayPostAnother) {
  Worker worker("test", report_no_work, shared());
  std::promise<void> ran;
  worker.post([&](const std::stop_token&) {
    worker.post([&](const std::stop_token&) { ran.set_value(); });
  });
  ran.get_future().get();
}

TEST_P(WorkerTest, ReportsAFailureAndTriesAgain) {
  std::vector<std::string> reports;
  Worker worker(
      "test", [&](std::string_view warning) { reports.emplace_back(warning); }, shared());
  std::atomic<int> runs{0};
  worker.post([&](const std::stop_token&) {
    if (++runs == 1) throw std::runtime_error("no luck");
  });
  worker.drain();  // waits for the second run
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(reports, (std::vector<std::string>{"test: no luck; trying again"}));
}

TEST_P(WorkerTest, StopEndsTheTaskUnderWayAndDropsTheOthers) {
  std::atomic<bool> second_ran{false};
  std::promise<void> began;
  bool stopped = false;
  Worker worker("test", report_no_work, shared());
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

TEST_P(WorkerTest, AChoreIsDueOnceAtTheEarliestTime) {
  Worker worker("test", report_no_work, shared());
  std::atomic<int> runs{0};
  Worker::RecurringTask task(worker, [&](const std::stop_token&) { ++runs; });
  worker.drain();
  EXPECT_EQ(runs, 0);
  for (int i = 0; i < 100; ++i) task.due_after(std::chrono::hours(1) + milliseconds(i));
  worker.drain();
  EXPECT_EQ(runs, 0);
  task.due_now();
  worker.drain();
  EXPECT_EQ(runs, 1);
}

TEST_P(WorkerTest, AChoreMayBeDueAgainByItself) {
  Worker worker("test", report_no_work, shared());
  std::atomic<int> runs{0};
  std::optional<Worker::RecurringTask> task;
  task.emplace(worker, [&](const std::stop_token&) {
    if (++runs < 10) task->due_now();
  });
  task->due_now();
  worker.drain();
  EXPECT_EQ(runs, 10);
}

TEST_P(WorkerTest, AChoreThatFailsRestsAndIsTriedAgain) {
  std::atomic<int> warnings{0};
  Worker worker(
      "test", [&](std::string_view) { ++warnings; }, shared());
  std::vector<std::chrono::steady_clock::time_point> runs;
  Worker::RecurringTask task(worker, [&](const std::stop_token&) {
    runs.push_back(std::chrono::steady_clock::now());
    if (runs.size() == 1) throw std::runtime_error("no luck");
  });
  task.due_now();
  while (warnings == 0) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) task.due_now();
  worker.drain();
  // If this thread stood still for longer than the rest of the delay, there is another run after
  // that.
  if (runs.size() == 3) {
    EXPECT_GE(runs[2] - runs[0], kRetryDelay);
  }
  ASSERT_TRUE(runs.size() == 2 || runs.size() == 3) << runs.size();
  EXPECT_GE(runs[1] - runs[0], kRetryDelay);
}

TEST_P(WorkerTest, AChoreThatIsDestroyedHasEnded) {
  Worker worker("test", report_no_work, shared());
  for (int i = 0; i < 50; ++i) {
    std::atomic<bool> running{false};
    std::promise<void> began;
    {
      Worker::RecurringTask task(worker, [&](const std::stop_token&) {
        running = true;
        began.set_value();
        std::this_thread::yield();
        running = false;
      });
      task.due_now();
      began.get_future().get();
    }
    EXPECT_FALSE(running);
  }
  worker.drain();
}

TEST_P(WorkerTest, AChoreFollowsAClock) {
  Worker worker("test", report_no_work, shared());
  Clock clock;
  clock.freeze();
  const Clock::TimePoint due = clock.now() + std::chrono::hours(24 * 365);
  std::atomic<int> runs{0};
  std::atomic<int> looks{0};
  std::optional<Worker::RecurringTask> task;
  task.emplace(worker, [&](const std::stop_token&) {
    ++looks;
    if (clock.now() >= due) {
      ++runs;
    } else {
      task->due_by(clock, due);
    }
  });
  const Clock::Watch watch(clock, [&](Clock::TimePoint) { task->due_now(); });
  task->due_by(clock, due);
  worker.drain();
  EXPECT_EQ(looks, 0);
  clock.advance(std::chrono::hours(24 * 364));
  clock.unfreeze();
  worker.drain();
  EXPECT_EQ(runs, 0);
  EXPECT_LE(looks, 2);
  clock.advance(std::chrono::hours(25));
  worker.drain();
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace magneto::storage
