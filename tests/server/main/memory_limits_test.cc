#include "server/main/memory_limits.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/engines.h"

namespace magneto::server::main {
namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;

// A folder in place of the root of the file system.
class MemoryLimitsTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string root() const { return directory_.file("root"); }

  storage::TempDirectory directory_;
  const std::uint64_t machine_ = read_memory_limit(directory_.file("none"));
};

TEST_F(MemoryLimitsTest, WithoutGroupsItIsTheMachines) { EXPECT_GT(machine_, 64 * kMegabyte); }

TEST_F(MemoryLimitsTest, InAContainerOfVersion2) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/memory.max", "209715200\n");
  EXPECT_EQ(read_memory_limit(root()), 200 * kMegabyte);
  write("/sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(read_memory_limit(root()), machine_);
}

TEST_F(MemoryLimitsTest, TheLeastOfTheGroupAndThoseAroundIt) {
  write("/proc/self/cgroup", "0::/system.slice/magneto.service\n");
  write("/sys/fs/cgroup/system.slice/magneto.service/memory.max", "max\n");
  write("/sys/fs/cgroup/system.slice/memory.max", "52428800\n");
  EXPECT_EQ(read_memory_limit(root()), 50 * kMegabyte);
  write("/sys/fs/cgroup/system.slice/magneto.service/memory.max", "41943040\n");
  EXPECT_EQ(read_memory_limit(root()), 40 * kMegabyte);
}

TEST_F(MemoryLimitsTest, InAContainerOfVersion1) {
  write("/proc/self/cgroup",
        "12:cpu,cpuacct:/docker/abc\n5:hugetlb,memory:/docker/abc\n1:name=systemd:/docker/abc\n");
  // Only the folder of the container itself is there, under the name of the root.
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "104857600\n");
  EXPECT_EQ(read_memory_limit(root()), 100 * kMegabyte);
  write("/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(read_memory_limit(root()), 100 * kMegabyte);
}

TEST_F(MemoryLimitsTest, WhatIsNoNumberIsNoLimit) {
  for (const char* text : {"", "\n", "none", "-1", "99999999999999999999999"}) {
    write("/proc/self/cgroup", "0::/\nnonsense\n::\n4:memory\n");
    write("/sys/fs/cgroup/memory.max", text);
    EXPECT_EQ(read_memory_limit(root()), machine_) << text;
  }
}

TEST(MemoryPlanTest, FollowsASmallLimit) {
  const MemoryPlan plan = plan_memory({}, 256 * kMegabyte);
  EXPECT_EQ(plan.limit, 256 * kMegabyte);
  EXPECT_EQ(plan.held, 64 * kMegabyte);
  EXPECT_EQ(plan.work, 64 * kMegabyte);
  EXPECT_EQ(plan.budget, 64 * kMegabyte);
  EXPECT_EQ(plan.calls, 64 * kMegabyte);
  EXPECT_EQ(plan.tokens, 16 * kMegabyte);
  EXPECT_EQ(plan.max_connections, 1024U);
}

TEST(MemoryPlanTest, HasItsDefaultsOnALargeMachine) {
  const MemoryPlan plan = plan_memory({}, 64 * 1024 * kMegabyte);
  EXPECT_EQ(plan.held, 512 * kMegabyte);
  EXPECT_EQ(plan.work, 512 * kMegabyte);
  EXPECT_EQ(plan.budget, 512 * kMegabyte);
  EXPECT_EQ(plan.calls, 512 * kMegabyte);
  EXPECT_EQ(plan.tokens, 256 * kMegabyte);
  EXPECT_EQ(plan.max_connections, 10'000U);
}

TEST(MemoryPlanTest, WhatTheUserSetsCounts) {
  Config config;
  config.memory_limit_megabytes = 2048;
  config.memory_budget_megabytes = 1500;
  config.held_memory_megabytes = 1;
  const MemoryPlan plan = plan_memory(config, 256 * kMegabyte);
  EXPECT_EQ(plan.limit, 2048 * kMegabyte);
  EXPECT_EQ(plan.budget, 1500 * kMegabyte);
  EXPECT_EQ(plan.held, kMegabyte);
  EXPECT_EQ(plan.work, 512 * kMegabyte);
}

}  // namespace
}  // namespace magneto::server::main
