#include "storage/model/effort.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

TEST(EffortTest, AsksForAWorkerBeyondItsLimit) {
  Effort effort(10);
  effort.spend(10);
  EXPECT_THROW(effort.spend(1), NeedsWorker);
}

TEST(EffortTest, StaysWhereItIsOnceSomethingWasChanged) {
  Effort effort(10);
  effort.stay();
  effort.spend(1'000);
  EXPECT_EQ(effort.spent(), 1'000U);
  EXPECT_FALSE(effort.may_wait());
}

TEST(EffortTest, MayWaitOnAWorkerOnly) {
  Effort on_worker;
  on_worker.stay();
  EXPECT_TRUE(on_worker.may_wait());
  EXPECT_FALSE(Effort(10).may_wait());
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
