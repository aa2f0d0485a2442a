#include "storage/engine/log_space.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "storage/engine/engine.h"
#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

class FakeLog final : public GrowingLog {
 public:
  bool allocate_ahead() override {
    ++calls;
    return has_room;
  }
  bool has_room = true;
  int calls = 0;
};

std::uint64_t allocated(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
}

class LogSpaceTest : public testing::Test {
 protected:
  TempDirectory directory_;
  const std::string path_ = directory_.file("spare");
};

TEST_F(LogSpaceTest, KeepsASpareFile) {
  LogSpace space(path_);
  ASSERT_TRUE(space.is_supported());
  EXPECT_TRUE(space.is_ample());
  EXPECT_GE(allocated(path_), LogSpace::kAhead);
  EXPECT_EQ(std::filesystem::file_size(path_), 0U);
  EXPECT_EQ(space.take_spare(), path_);
  EXPECT_EQ(space.take_spare(), "");
  std::filesystem::rename(path_, directory_.file("log"));
  EXPECT_TRUE(space.replenish());
  EXPECT_GE(allocated(path_), LogSpace::kAhead);
  EXPECT_GE(allocated(directory_.file("log")), LogSpace::kAhead);
}

TEST_F(LogSpaceTest, LeavesNoSpareBehind) {
  { const LogSpace space(path_); }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(LogSpaceTest, IsShortWhileTheLogCannotGrow) {
  LogSpace space(path_);
  FakeLog log;
  space.set_current(&log);
  EXPECT_EQ(log.calls, 1);
  EXPECT_TRUE(space.is_ample());
  log.has_room = false;
  EXPECT_FALSE(space.replenish());
  EXPECT_FALSE(space.is_ample());
  log.has_room = true;
  EXPECT_TRUE(space.replenish());
  EXPECT_TRUE(space.is_ample());
  log.has_room = false;
  space.leave(&log);
  EXPECT_TRUE(space.replenish());
}

TEST_F(LogSpaceTest, AnEarlierLogLeavesTheCurrentOneAlone) {
  LogSpace space(path_);
  FakeLog earlier;
  FakeLog current;
  space.set_current(&earlier);
  space.set_current(&current);
  space.leave(&earlier);
  current.has_room = false;
  EXPECT_FALSE(space.replenish());
}

TEST_F(LogSpaceTest, UnusablePathIsAnError) {
  EXPECT_THROW(LogSpace(directory_.file("absent/spare")), EngineError);
}

}  // namespace
}  // namespace magneto::storage
