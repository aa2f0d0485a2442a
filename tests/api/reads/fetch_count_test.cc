#include "api/reads/fetch_count.h"

#include <gtest/gtest.h>

namespace magneto::api {
namespace {

TEST(FetchCount, BeginsWithFewWhileNothingIsKnown) { EXPECT_EQ(FetchCount().next(), 8U); }

TEST(FetchCount, TakesManySmallItemsAndFewLargeOnes) {
  FetchCount count;
  count.note(100);
  EXPECT_EQ(count.next(), 32U);
  count.note(100'000);
  EXPECT_EQ(count.next(), 10U);
  count.note(409'600);
  EXPECT_EQ(count.next(), 2U);
  count.note(100);
  EXPECT_EQ(count.next(), 2U);
}

TEST(FetchCount, TakesManyWhereThereIsNothing) {
  FetchCount count;
  count.note(0);
  EXPECT_EQ(count.next(), 32U);
}

// No item is so large; still a walk goes on.
TEST(FetchCount, IsNeverZero) {
  FetchCount count;
  count.note(100'000'000);
  EXPECT_EQ(count.next(), 1U);
}

}  // namespace
}  // namespace magneto::api
