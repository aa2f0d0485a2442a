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

}  // namespace
}  // namespace magneto::server
