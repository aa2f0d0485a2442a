#include "storage/table/stamp_source.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace magneto::storage {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr Clock::TimePoint kNoon{hours(12)};

std::uint64_t micros(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

TEST(StampSource, GoesByTheClockAndNeverBack) {
  StampSource source;
  EXPECT_EQ(source.next(kNoon, 0), micros(kNoon));
  EXPECT_EQ(source.next(kNoon, 0), micros(kNoon) + 1);
  EXPECT_EQ(source.next(kNoon + seconds(1), 0), micros(kNoon + seconds(1)));
  EXPECT_EQ(source.lead(), seconds(0));
  // Set back by an hour, and passed again.
  const std::uint64_t last = source.next(kNoon - hours(1), 0);
  EXPECT_EQ(last, micros(kNoon + seconds(1)) + 1);
  EXPECT_EQ(source.next(kNoon - hours(1) + seconds(5), 0), last + 5'000'000);
  EXPECT_GT(source.lead(), hours(1));
  EXPECT_EQ(source.next(kNoon + hours(1), 0), micros(kNoon + hours(1)));
  EXPECT_EQ(source.lead(), seconds(0));
}

TEST(StampSource, IsLaterThanWhatItMetAndWhatWasThere) {
  StampSource source;
  source.meet(micros(kNoon + hours(1)));
  source.meet(micros(kNoon));
  EXPECT_EQ(source.last(), micros(kNoon + hours(1)));
  EXPECT_EQ(source.next(kNoon, 0), micros(kNoon + hours(1)) + 1);
  EXPECT_EQ(source.next(kNoon, micros(kNoon + hours(2))), micros(kNoon + hours(2)) + 1);
}

TEST(StampSource, GivesNoneTwice) {
  StampSource source;
  std::vector<std::vector<std::uint64_t>> given(4);
  {
    std::vector<std::jthread> threads;
    for (std::vector<std::uint64_t>& mine : given) {
      threads.emplace_back([&] {
        for (int i = 0; i < 2'000; ++i) mine.push_back(source.next(kNoon, 0));
      });
    }
  }
  std::set<std::uint64_t> all;
  for (const auto& mine : given) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 8'000);
}

}  // namespace
}  // namespace magneto::storage
