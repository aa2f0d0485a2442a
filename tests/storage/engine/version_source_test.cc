#include "storage/engine/version_source.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "storage/engine/engine.h"

namespace magneto::storage {
namespace {

using std::chrono::seconds;

constexpr std::uint32_t kServer = 5;
const Clock::TimePoint kNow(seconds(1'900'000'000));

Clock::TimePoint fixed_now() { return kNow; }

class VersionSourceTest : public testing::Test {
 protected:
  VersionSourceTest() { versions_.raise_limit(version_at(kNow + seconds(10))); }

  VersionSource versions_{kServer, fixed_now};
};

TEST_F(VersionSourceTest, VersionsAscendAndNameTheServer) {
  const Version first = versions_.draw(3, 0);
  EXPECT_EQ(first, version_at(kNow) + kServer);
  EXPECT_EQ(versions_.draw(1, 0), first + 3 * kVersionStep);
  const Version above = version_at(kNow + seconds(2)) + kServer;
  EXPECT_EQ(versions_.draw(1, above), above + kVersionStep);
}

TEST_F(VersionSourceTest, LowIsTheOldestCommitInProgress) {
  const Version first = versions_.draw(1, 0);
  const Version second = versions_.draw(1, 0);
  EXPECT_EQ(versions_.low(), first);
  versions_.finish(first);
  EXPECT_EQ(versions_.low(), second);
  versions_.finish(second);
  EXPECT_GT(versions_.low(), second);
}

TEST_F(VersionSourceTest, AllDrawnVersionsAreBelow) {
  EXPECT_LT(time_of_version(versions_.above_drawn()) - kNow, std::chrono::microseconds(2));
  versions_.advance(version_at(kNow + seconds(4)));  // as a server does that joins
  EXPECT_EQ(time_of_version(versions_.above_drawn()), kNow + seconds(4));
  const Version drawn = versions_.draw(1, 0);
  EXPECT_GE(drawn, version_at(kNow + seconds(4)));
  EXPECT_GT(versions_.above_drawn(), drawn);
}

TEST_F(VersionSourceTest, DrawsWaitForTheLimit) {
  versions_.advance(version_at(kNow + seconds(10)));
  std::atomic<bool> is_raised = false;
  std::jthread thread([&] {
    versions_.draw(1, 0);
    EXPECT_TRUE(is_raised);
  });
  is_raised = true;
  versions_.raise_limit(version_at(kNow + seconds(11)));
}

TEST_F(VersionSourceTest, CommitsOfRecordsDoNotWaitForTheLimit) {
  versions_.advance(version_at(kNow + seconds(20)));
  const Version drawn = versions_.draw_at_once(0);
  EXPECT_GE(drawn, version_at(kNow + seconds(20)));
  EXPECT_EQ(versions_.low(), drawn);
  EXPECT_EQ(versions_.draw_at_once(drawn + 1'000 * kVersionStep), drawn + 1'001 * kVersionStep);
  versions_.raise_limit(version_at(kNow + seconds(30)));
  EXPECT_GT(versions_.draw(1, 0), drawn);
  versions_.close();
  EXPECT_THROW(versions_.draw_at_once(0), EngineError);
}

TEST_F(VersionSourceTest, ClosingEndsTheWait) {
  versions_.advance(version_at(kNow + seconds(10)));
  std::jthread thread([&] { EXPECT_THROW(versions_.draw(1, 0), EngineError); });
  versions_.close();
}

}  // namespace
}  // namespace magneto::storage
