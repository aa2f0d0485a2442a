#include "storage/engine/rocksdb/background_throttle.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <thread>

namespace magneto::storage {
namespace {

constexpr int kCalls = 100;

// How often the calling thread left its processor while it yielded kCalls times.
long departures() {
  const auto count = [] {
    rusage usage{};
    EXPECT_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_nvcsw;
  };
  const long before = count();
  for (int i = 0; i < kCalls; ++i) yield_to_foreground();
  return count() - before;
}

TEST(BackgroundThrottleTest, OnlyBackgroundThreadsLeaveTheirProcessor) {
  long in_background = 0;
  std::thread([&] {
    enter_background();
    in_background = departures();
  }).join();
  EXPECT_GE(in_background, kCalls * 9 / 10);  // a pause that ends as it begins is none
  EXPECT_LT(departures(), kCalls / 2);
}

}  // namespace
}  // namespace magneto::storage
