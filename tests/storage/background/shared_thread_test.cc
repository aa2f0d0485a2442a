#include "storage/background/shared_thread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "storage/background/worker.h"

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using SteadyClock = std::chrono::steady_clock;

void report_no_thread(std::string_view warning) { ADD_FAILURE() << warning; }

class SharedThreadTest : public testing::Test {
 protected:
  std::unique_ptr<Worker> client() {
    return std::make_unique<Worker>("test", report_no_thread, &thread_);
  }

  SharedThread thread_;
};

TEST_F(SharedThreadTest, NobodyRunsTwoTasksBeforeTheTurnOfAnother) {
  const auto busy = client();
  const auto other = client();
  std::promise<void> posted;
  std::vector<int> ran;
  busy->post([done = posted.get_future().share()](const std::stop_token&) { done.wait(); });
  for (int i = 0; i < 1'000; ++i) {
    busy->post([&](const std::stop_token&) { ran.push_back(1); });
  }
  other->post([&](const std::stop_token&) { ran.push_back(2); });
  posted.set_value();
  other->drain();
  busy->drain();
  ASSERT_EQ(ran.size(), 1'001U);
  EXPECT_LE(std::ranges::find(ran, 2) - ran.begin(), 2);
}

TEST_F(SharedThreadTest, TheTasksOfOneKeepTheirOrderAndNeverRunAtOnce) {
  constexpr int kClients = 100;
  std::vector<std::unique_ptr<Worker>> clients;
  std::vector<std::vector<int>> ran(kClients);
  for (int i = 0; i < kClients; ++i) clients.push_back(client());
  std::vector<std::jthread> posters;
  for (int part = 0; part < 2; ++part) {
    posters.emplace_back([&, part] {
      for (int task = 0; task < 50; ++task) {
        for (std::size_t i = part == 0 ? 0 : kClients / 2;
             i < (part == 0 ? kClients / 2 : kClients); ++i) {
          clients[i]->post([&, i, task](const std::stop_token&) { ran[i].push_back(task); });
        }
      }
    });
  }
  posters.clear();
  for (std::size_t i = 0; i < kClients; ++i) {
    clients[i]->drain();
    ASSERT_EQ(ran[i].size(), 50U);
    EXPECT_TRUE(std::ranges::is_sorted(ran[i]));
  }
}

TEST_F(SharedThreadTest, OneThatIsStoppedWaitsForNoOther) {
  const auto busy = client();
  const auto stopped = client();
  std::promise<void> end, began;
  busy->post([&, done = end.get_future().share()](const std::stop_token&) {
    began.set_value();
    done.wait();
  });
  began.get_future().get();
  std::atomic<bool> ran{false};
  stopped->post([&](const std::stop_token&) { ran = true; });
  stopped->stop();
  stopped->drain();
  stopped->post([&](const std::stop_token&) { ran = true; });
  end.set_value();
  busy->drain();
  EXPECT_FALSE(ran);
}

TEST_F(SharedThreadTest, OneThatIsDestroyedEndsItsTaskFirst) {
  auto destroyed = client();
  std::promise<void> began;
  std::atomic<bool> ended{false};
  destroyed->post([&](const std::stop_token& stop) {
    began.set_value();
    while (!stop.stop_requested()) std::this_thread::yield();
    ended = true;
  });
  destroyed->post([&](const std::stop_token&) { ADD_FAILURE() << "was dropped"; });
  began.get_future().get();
  destroyed.reset();
  EXPECT_TRUE(ended);
}

TEST_F(SharedThreadTest, TenThousandAreStoppedAtOnce) {
  std::vector<std::unique_ptr<Worker>> clients;
  for (int i = 0; i < 10'000; ++i) {
    clients.push_back(client());
    clients.back()->post_after(hours(1), [](const std::stop_token&) {});
    clients.back()->post_after(hours(2), [](const std::stop_token&) {});
  }
  const auto start = SteadyClock::now();
  clients.clear();
  EXPECT_LT(SteadyClock::now() - start, seconds(10));  // some microseconds each
}

TEST_F(SharedThreadTest, ATaskThatFailsLeavesItsTurnToOthers) {
  std::atomic<int> warnings{0};
  Worker failing(
      "test", [&](std::string_view) { ++warnings; }, &thread_);
  const auto other = client();
  std::atomic<int> runs{0};
  failing.post([&](const std::stop_token&) {
    if (++runs == 1) throw std::runtime_error("no luck");
  });
  other->post([](const std::stop_token&) {});
  other->drain();
  failing.drain();
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(warnings, 1);
}

TEST(BackgroundThreadsTest, AJobIsInTheWayOfNoTask) {
  BackgroundThreads threads;
  Worker jobs("test", report_no_thread, &threads.jobs);
  Worker tasks("test", report_no_thread, &threads.tasks);
  std::promise<void> end;
  jobs.post([done = end.get_future().share()](const std::stop_token&) { done.wait(); });
  std::atomic<bool> ran{false};
  tasks.post([&](const std::stop_token&) { ran = true; });
  tasks.drain();
  EXPECT_TRUE(ran);
  end.set_value();
}

}  // namespace
}  // namespace magneto::storage
