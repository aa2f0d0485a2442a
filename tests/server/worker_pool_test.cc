#include "server/worker_pool.h"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <latch>
#include <memory>

namespace magneto::server {
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

}  // namespace
}  // namespace magneto::server
