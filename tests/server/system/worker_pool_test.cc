#include "server/system/worker_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <future>
#include <latch>
#include <memory>
#include <optional>

namespace magneto::server::system {
namespace {

TEST(WorkerPool, StartsNoThreadBeforeATask) {
  const WorkerPool pool(4);
  EXPECT_EQ(pool.thread_count(), 0U);
}

TEST(WorkerPool, UsesOneThreadForOneTaskAtATime) {
  WorkerPool pool(4);
  for (int i = 0; i < 20; ++i) {
    const WorkerPool::Visit visit(pool);
    std::latch done(1);
    boost::asio::post(pool.executor(), [&] { done.count_down(); });
    done.wait();
  }
  EXPECT_EQ(pool.thread_count(), 1U);
}

TEST(WorkerPool, RunsTasksThatWaitForEachOther) {
  constexpr int kTasks = 4;
  WorkerPool pool(kTasks);
  std::latch all_run(kTasks);
  std::latch all_done(kTasks);
  for (int i = 0; i < kTasks; ++i) {
    auto visit = std::make_shared<WorkerPool::Visit>(pool);
    boost::asio::post(pool.executor(), [&, visit] {
      all_run.arrive_and_wait();
      all_done.count_down();
    });
  }
  all_done.wait();
  EXPECT_EQ(pool.thread_count(), 4U);
}

TEST(WorkerPool, RunsMoreTasksThanThreads) {
  constexpr int kTasks = 100;
  std::latch all_done(kTasks);
  WorkerPool pool(2);
  for (int i = 0; i < kTasks; ++i) {
    auto visit = std::make_shared<WorkerPool::Visit>(pool);
    boost::asio::post(pool.executor(), [&, visit] { all_done.count_down(); });
  }
  all_done.wait();
  EXPECT_LE(pool.thread_count(), 2U);
}

TEST(WorkerPool, TurnsTasksAwayBeyondItsLimit) {
  WorkerPool pool(1, 2);
  std::optional<WorkerPool::Visit> first(std::in_place, pool);
  const WorkerPool::Visit second(pool);
  EXPECT_TRUE(*first);
  EXPECT_TRUE(second);
  EXPECT_FALSE(WorkerPool::Visit(pool));
  first.reset();
  EXPECT_TRUE(WorkerPool::Visit(pool));
}

TEST(WorkerPool, GivesItsThreadsALowerPriority) {
  const int here = ::getpriority(PRIO_PROCESS, 0);
  WorkerPool pool(1, WorkerPool::kNoLimit, 3);
  const WorkerPool::Visit visit(pool);
  std::promise<int> there;
  boost::asio::post(pool.executor(), [&] {
    there.set_value(::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())));
  });
  EXPECT_EQ(there.get_future().get(), std::min(here + 3, 19));
}

}  // namespace
}  // namespace magneto::server::system
