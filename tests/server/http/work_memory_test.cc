#include "server/http/work_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace magneto::server::http {
namespace {

constexpr std::size_t kLongWork = WorkMemory::kShortBody + 1;

// True when a request with such a body runs only after `running` has ended.
bool waits_for(WorkMemory& memory, std::optional<WorkMemory::Use>& running, std::size_t size) {
  std::atomic<bool> runs = false;
  std::jthread other([&] {
    const WorkMemory::Use use(memory, size);
    runs = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const bool waited = !runs;
  running.reset();
  other.join();
  return waited && runs;
}

TEST(WorkMemoryTest, LongRequestsWaitForEachOther) {
  WorkMemory memory(2 * WorkMemory::kFactor * kLongWork);
  std::optional<WorkMemory::Use> first(std::in_place, memory, kLongWork);
  const WorkMemory::Use second(memory, kLongWork);
  EXPECT_TRUE(waits_for(memory, first, kLongWork));
}

TEST(WorkMemoryTest, OneBeyondTheLimitRunsAlone) {
  WorkMemory memory(kLongWork);
  std::optional<WorkMemory::Use> first(std::in_place, memory, 1'000 * kLongWork);
  EXPECT_TRUE(waits_for(memory, first, kLongWork));
}

TEST(WorkMemoryTest, ShortRequestsDoNotWait) {
  WorkMemory memory(kLongWork);
  const WorkMemory::Use first(memory, kLongWork);
  const WorkMemory::Use second(memory, WorkMemory::kShortBody);
}

}  // namespace
}  // namespace magneto::server::http
