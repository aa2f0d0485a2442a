#include "storage/model/effort.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

namespace magneto::storage {
namespace {

TEST(EffortTest, AsksForAWorkerBeyondItsLimit) {
  Effort effort(10);
  effort.spend(10);
  EXPECT_THROW(effort.spend(1), NeedsWorker);
}

TEST(EffortTest, LeavesAnIoThreadUnlessItHasToStay) {
  EXPECT_THROW(Effort(10).leave(), NeedsWorker);
  EXPECT_NO_THROW(Effort().leave());
  Effort staying(10);
  staying.stay();
  EXPECT_NO_THROW(staying.leave());
}

TEST(EffortTest, StaysWhereItIsOnceSomethingWasChanged) {
  Effort effort(10);
  Effort::record_change();
  effort.spend(1'000);
  EXPECT_EQ(effort.spent(), 1'000U);
  EXPECT_FALSE(effort.may_wait());
  Effort::before_waiting();  // it must wait here then
}

TEST(EffortTest, LeavesForAComputingWorkerUnlessItHasToStay) {
  {
    Effort on_io_thread(10);
    EXPECT_THROW(on_io_thread.leave(), NeedsWorker);
    EXPECT_TRUE(on_io_thread.is_exhausted());
  }
  {
    Effort waiting = Effort::of_waiting_worker(10, nullptr);
    EXPECT_THROW(waiting.leave(), NeedsWorker);
  }
  EXPECT_NO_THROW(Effort().leave());
  Effort staying(10);
  staying.stay();
  EXPECT_NO_THROW(staying.leave());
}

TEST(EffortTest, MayWaitOnAWorkerOnly) {
  {
    const Effort computing;
    EXPECT_TRUE(computing.may_wait());
    Effort::before_waiting();
  }
  {
    Effort waiting = Effort::of_waiting_worker(10, nullptr);
    EXPECT_TRUE(waiting.may_wait());
    Effort::before_waiting();
    EXPECT_THROW(waiting.spend(11), NeedsWorker);
    EXPECT_TRUE(waiting.is_exhausted());
  }
  const Effort on_io_thread(10);
  EXPECT_FALSE(on_io_thread.may_wait());
  EXPECT_THROW(Effort::before_waiting(), NeedsWorker);
  EXPECT_FALSE(on_io_thread.is_exhausted());
}

TEST(EffortTest, IsThatOfTheThread) {
  const Effort on_io_thread(10);
  EXPECT_FALSE(Effort::thread_may_wait());
  std::thread([] { EXPECT_TRUE(Effort::thread_may_wait()); }).join();
  {
    const Effort inner;
    EXPECT_TRUE(Effort::thread_may_wait());
  }
  EXPECT_FALSE(Effort::thread_may_wait());
}

TEST(EffortTest, TakesALockOnlyAtOnceOnAnIoThread) {
  std::mutex lock;
  const auto take_on_io_thread = [&] {
    const Effort effort(10);
    Effort::take(lock);
    lock.unlock();
  };
  take_on_io_thread();
  Effort::take(lock);
  std::thread([&] { EXPECT_THROW(take_on_io_thread(), NeedsWorker); }).join();
  lock.unlock();
  take_on_io_thread();
}

TEST(EffortTest, WorksOnlyOnWhenTheServerIsToEndIfSomethingWasChanged) {
  constexpr std::uint64_t kMuch = 100'000'000;
  std::atomic<bool> stopping = false;
  Effort computing(Effort::kUnlimited, &stopping);
  computing.spend(kMuch);
  EXPECT_NO_THROW(computing.leave());
  stopping = true;
  EXPECT_THROW(computing.spend(kMuch), NeedsWorker);
  computing.stay();
  computing.spend(kMuch);
}

TEST(EffortTest, WaitsForNoLockWhenTheServerIsToEnd) {
  std::mutex lock;
  const std::atomic<bool> stopping = true;
  {
    const Effort on_worker(Effort::kUnlimited, &stopping);
    EXPECT_THROW(Effort::take(lock), NeedsWorker);
    ASSERT_TRUE(lock.try_lock());  // it was released
    lock.unlock();
    Effort::record_change();
    Effort::take(lock);
    lock.unlock();
  }
}

TEST(EffortTest, SeesThatTheServerIsToEnd) {
  std::atomic<bool> stopping = false;
  const Effort effort(10, &stopping);
  EXPECT_FALSE(effort.is_stopping());
  stopping = true;
  EXPECT_TRUE(effort.is_stopping());
}

}  // namespace
}  // namespace magneto::storage
