#include "server/feeds/event_sources/call_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace magneto::server::feeds {
namespace {

using Uses = std::vector<std::unique_ptr<CallMemory::Use>>;

// Takes as often as it is granted.
Uses take_all(CallMemory& memory, CallMemory::Share& share, std::size_t bytes) {
  Uses uses;
  while (true) {
    auto use = std::make_unique<CallMemory::Use>(memory, share, bytes);
    if (!use->is_granted()) return uses;
    uses.push_back(std::move(use));
  }
}

TEST(CallMemory, LeavesRoomForOtherMappings) {
  CallMemory memory(1000);
  CallMemory::Share first;
  CallMemory::Share second;
  CallMemory::Share third;
  const Uses of_first = take_all(memory, first, 10);
  EXPECT_EQ(of_first.size(), 75U);
  const Uses of_second = take_all(memory, second, 10);
  EXPECT_EQ(of_second.size(), 18U);
  EXPECT_FALSE(take_all(memory, third, 10).empty());
  EXPECT_LE(memory.bytes(), 1000U);
}

TEST(CallMemory, GivesBackWhatIsNotNeeded) {
  CallMemory memory(100);
  CallMemory::Share first;
  CallMemory::Share second;
  {
    CallMemory::Use use(memory, first, 90);
    ASSERT_TRUE(use.is_granted());
    EXPECT_FALSE(CallMemory::Use(memory, second, 20).is_granted());
    use.shrink(10);
    use.shrink(50);  // never grows
    EXPECT_EQ(memory.bytes(), 10U);
    EXPECT_TRUE(CallMemory::Use(memory, second, 20).is_granted());
  }
  EXPECT_EQ(memory.bytes(), 0U);
}

// Otherwise a large event could never be sent.
TEST(CallMemory, GrantsOneWhateverTheLimitIs) {
  CallMemory memory(100);
  CallMemory::Share share;
  {
    const CallMemory::Use use(memory, share, 200);
    EXPECT_TRUE(use.is_granted());
    EXPECT_FALSE(CallMemory::Use(memory, share, 1).is_granted());
  }
  memory.set_limit(0);
  EXPECT_TRUE(CallMemory::Use(memory, share, 1).is_granted());
}

}  // namespace
}  // namespace magneto::server::feeds
