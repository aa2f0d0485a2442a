#include "server/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

namespace magneto::server {
namespace {

TEST(SparseLogTest, WritesALineASecondAndTellsHowManyItLeftOut) {
  testing::internal::CaptureStderr();
  SparseLog sparse;
  for (int i = 0; i < 1'000; ++i) sparse.write(LogLevel::kError, "lost");
  const std::string first = testing::internal::GetCapturedStderr();
  const auto lines = std::ranges::count(first, '\n');
  EXPECT_GE(lines, 1);
  EXPECT_LE(lines, 3);  // a busy machine may take more than a second for it
  std::this_thread::sleep_for(std::chrono::milliseconds(1'100));
  testing::internal::CaptureStderr();
  sparse.write(LogLevel::kError, "lost");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("lost (and "), std::string::npos) << first;
}

TEST(SparseLogTest, LetsSomeThroughAtOnce) {
  testing::internal::CaptureStderr();
  const std::uint64_t before = lines_left_out();
  for (int i = 0; i < 1'000; ++i) {
    log_sparsely(LogSource::kStorage, LogLevel::kError, "of the store " + std::to_string(i));
  }
  log_sparsely(LogSource::kMemory, LogLevel::kError, "of the memory");
  log_sparsely(LogSource::kMemory, LogLevel::kDebug, "not of this level");
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_GE(std::ranges::count(lines, '\n'), 11);
  EXPECT_LE(std::ranges::count(lines, '\n'), 14);  // a busy machine may take more than a second
  EXPECT_NE(lines.find("of the store 9\n"), std::string::npos);
  EXPECT_NE(lines.find("of the memory\n"), std::string::npos);
  EXPECT_GE(lines_left_out() - before, 987U);
}

}  // namespace
}  // namespace magneto::server
