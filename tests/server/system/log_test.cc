#include "server/system/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace magneto::server::system {
namespace {

using Clock = std::chrono::steady_clock;

// Started ones: in each, one more line may be written.
std::int64_t seconds_since(Clock::time_point begin) {
  return std::chrono::floor<std::chrono::seconds>(Clock::now() - begin).count();
}

TEST(SparseLogTest, WritesALineASecondAndTellsHowManyItLeftOut) {
  testing::internal::CaptureStderr();
  SparseLog sparse;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 1'000; ++i) sparse.write(LogLevel::kError, "lost");
  const std::string first = testing::internal::GetCapturedStderr();
  const auto lines = std::ranges::count(first, '\n');
  EXPECT_GE(lines, 1);
  EXPECT_LE(lines, 1 + seconds_since(begin));
  std::this_thread::sleep_for(std::chrono::milliseconds(1'100));
  testing::internal::CaptureStderr();
  sparse.write(LogLevel::kError, "lost");
  const std::string next = testing::internal::GetCapturedStderr();
  EXPECT_NE(next.find("lost ("), std::string::npos) << first;
  EXPECT_NE(next.find(" more were not logged)\n"), std::string::npos) << next;
}

TEST(SparseLogTest, TellsTheLastLineThoughNoOtherFollows) {
  std::string lines;
  std::uint64_t left_out = 0;
  // Again where this took a second, in which one more line may be written.
  for (Clock::time_point begin; begin == Clock::time_point() || seconds_since(begin) > 0;) {
    begin = Clock::now();
    testing::internal::CaptureStderr();
    const std::uint64_t before = lines_left_out();
    SparseLog sparse;
    sparse.write_held(true);
    sparse.write(LogLevel::kError, "first");
    sparse.write(LogLevel::kError, "second");
    sparse.write(LogLevel::kError, "third");
    sparse.write(LogLevel::kError, "last");
    sparse.write_held(true);
    sparse.write_held(true);
    left_out = lines_left_out() - before;
    lines = testing::internal::GetCapturedStderr();
  }
  EXPECT_EQ(left_out, 2U);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2) << lines;
  EXPECT_NE(lines.find(" first\n"), std::string::npos) << lines;
  EXPECT_NE(lines.find(" last (2 more were not logged)\n"), std::string::npos) << lines;

  testing::internal::CaptureStderr();
  SparseLog ticking;
  ticking.write(LogLevel::kError, "first");
  ticking.write(LogLevel::kError, "last");
  std::this_thread::sleep_for(std::chrono::milliseconds(1'100));
  ticking.write_held(false);
  ticking.write_held(false);
  lines = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2) << lines;
  EXPECT_NE(lines.find(" last\n"), std::string::npos) << lines;
}

TEST(SparseLogTest, LetsSomeThroughAtOnce) {
  testing::internal::CaptureStderr();
  const std::uint64_t before = lines_left_out();
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 1'000; ++i) {
    log_sparsely(LogSource::kStorage, LogLevel::kError, "of the store " + std::to_string(i));
  }
  log_sparsely(LogSource::kMemory, LogLevel::kError, "of the memory");
  log_sparsely(LogSource::kMemory, LogLevel::kDebug, "not of this level");
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_GE(std::ranges::count(lines, '\n'), 11);
  EXPECT_LE(std::ranges::count(lines, '\n'), 11 + seconds_since(begin));
  EXPECT_NE(lines.find("of the store 9\n"), std::string::npos);
  EXPECT_NE(lines.find("of the memory\n"), std::string::npos);
  // Lines of the store, without the one that is held.
  EXPECT_GE(lines_left_out() - before + static_cast<std::uint64_t>(std::ranges::count(lines, '\n')),
            1'000U);
  testing::internal::CaptureStderr();
  write_held_lines(true);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("of the store 999 ("), std::string::npos);
}

}  // namespace
}  // namespace magneto::server::system
