#include "api/reads/fetch_count.h"

#include <gtest/gtest.h>

namespace magneto::api {
namespace {

constexpr std::size_t kRoom = 16 << 20;

TEST(FetchCount, BeginsWithFewWhileNothingIsKnown) { EXPECT_EQ(FetchCount().next(kRoom), 8U); }

TEST(FetchCount, TakesManySmallItemsAndFewLargeOnes) {
  FetchCount count;
  count.note(100);
  EXPECT_EQ(count.next(kRoom), 32U);
  count.note(100'000);
  EXPECT_EQ(count.next(kRoom), 10U);
  count.note(409'600);
  EXPECT_EQ(count.next(kRoom), 2U);
  count.note(100);
  EXPECT_EQ(count.next(kRoom), 2U);
}

TEST(FetchCount, LearnsNothingFromWhatIsNotThere) {
  FetchCount count;
  count.note(0);
  EXPECT_EQ(count.next(kRoom), 8U);
  count.note(100);
  count.note(0);
  EXPECT_EQ(count.next(kRoom), 32U);
}

TEST(FetchCount, TakesNoMoreThanTheAnswerHasRoomFor) {
  FetchCount count;
  count.note(100'000);
  EXPECT_EQ(count.next(250'000), 2U);
  EXPECT_EQ(count.next(10), 1U);
}

TEST(FetchCount, TakesFewOfLargeItemsWhereTheThreadMayNotWait) {
  FetchCount count;
  count.note(100'000);
  const storage::Effort effort(1'000'000);
  EXPECT_EQ(count.next(kRoom), 4U);
}

// No item is so large, but a walk still continues.
TEST(FetchCount, IsNeverZero) {
  FetchCount count;
  count.note(100'000'000);
  EXPECT_EQ(count.next(kRoom), 1U);
}

}  // namespace
}  // namespace magneto::api
