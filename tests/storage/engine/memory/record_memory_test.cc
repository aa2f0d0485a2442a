#include "storage/engine/memory/record_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace magneto::storage {
namespace {

struct Block {
  char* bytes;
  std::size_t size;
  char mark;
};

Block take(std::size_t size, char mark) {
  char* const bytes = static_cast<char*>(RecordMemory::allocate(size));
  std::fill_n(bytes, size, mark);
  return {bytes, size, mark};
}

// Whether nothing else has written into the block.
bool is_intact(const Block& block) {
  return std::all_of(block.bytes, block.bytes + block.size,
                     [&](char byte) { return byte == block.mark; });
}

void free(const Block& block) { RecordMemory::free(block.bytes, block.size); }

std::uintptr_t slab_at(const void* block) {
  return reinterpret_cast<std::uintptr_t>(block) / RecordMemory::kSlabSize *
         RecordMemory::kSlabSize;
}

std::size_t resident_pages(std::uintptr_t slab) {
  std::vector<unsigned char> pages(RecordMemory::kSlabSize /
                                   static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
  EXPECT_EQ(::mincore(reinterpret_cast<void*>(slab), RecordMemory::kSlabSize, pages.data()), 0);
  return static_cast<std::size_t>(
      std::ranges::count_if(pages, [](unsigned char page) { return (page & 1U) != 0; }));
}

TEST(RecordMemory, BlocksOfAllSizesAreApart) {
  std::vector<Block> blocks;
  for (std::size_t size = 1; size <= RecordMemory::kLargestSmall + 3 * RecordMemory::kStep;
       ++size) {
    for (int i = 0; i < 3; ++i) blocks.push_back(take(size, static_cast<char>(blocks.size())));
  }
  for (const Block& block : blocks) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.bytes) % RecordMemory::kStep, 0U);
    EXPECT_TRUE(is_intact(block)) << block.size;
    EXPECT_GE(RecordMemory::bytes_of(block.size), block.size);
  }
  std::ranges::shuffle(blocks, std::mt19937(1));
  for (const Block& block : blocks) free(block);
}

// Blocks of one slab lie side by side, so their distance is the size that each one takes.
TEST(RecordMemory, ABlockTakesItsSizeRoundedToTheStep) {
  for (std::size_t size = 1; size <= RecordMemory::kLargestSmall; ++size) {
    std::vector<Block> blocks;
    for (int i = 0; i < 3; ++i) blocks.push_back(take(size, 'x'));
    const bool share_a_slab = slab_at(blocks[0].bytes) == slab_at(blocks[2].bytes);
    std::ranges::sort(blocks, {}, &Block::bytes);
    if (share_a_slab && slab_at(blocks[0].bytes) == slab_at(blocks[1].bytes)) {
      EXPECT_EQ(blocks[1].bytes - blocks[0].bytes, RecordMemory::bytes_of(size)) << size;
      EXPECT_LT(RecordMemory::bytes_of(size), size + RecordMemory::kStep);
    }
    for (const Block& block : blocks) free(block);
  }
}

// glibc's malloc takes 8 bytes for itself and rounds to 16.
TEST(RecordMemory, ALargeBlockTakesWhatTheHeapGives) {
  EXPECT_EQ(RecordMemory::bytes_of(RecordMemory::kLargestSmall), RecordMemory::kLargestSmall);
  EXPECT_EQ(RecordMemory::bytes_of(513), 528U);
  EXPECT_EQ(RecordMemory::bytes_of(520), 528U);
  EXPECT_EQ(RecordMemory::bytes_of(521), 544U);
}

TEST(RecordMemory, EmptySlabsGoBackToTheSystem) {
  constexpr std::size_t kSize = 256;
  constexpr std::size_t kCount = 50'000;
  const std::size_t before = RecordMemory::slab_bytes();
  std::vector<Block> blocks;
  std::set<std::uintptr_t> slabs;
  for (std::size_t i = 0; i < kCount; ++i) {
    blocks.push_back(take(kSize, static_cast<char>(i)));
    slabs.insert(slab_at(blocks.back().bytes));
  }
  EXPECT_LE(slabs.size() * RecordMemory::kSlabSize, kCount * kSize * 101 / 100);
  EXPECT_GE(RecordMemory::slab_bytes(), before + kCount * kSize);
  std::ranges::shuffle(blocks, std::mt19937(2));
  for (const Block& block : blocks) {
    EXPECT_TRUE(is_intact(block));
    free(block);
  }
  EXPECT_EQ(RecordMemory::slab_bytes(), before);
  std::size_t resident = 0;
  for (const std::uintptr_t slab : slabs) resident += resident_pages(slab) > 0 ? 1U : 0U;
  EXPECT_LE(resident, RecordMemory::kKeptSlabs);
}

TEST(RecordMemory, FreedBlocksAreUsedAgain) {
  std::vector<Block> blocks;
  for (int i = 0; i < 10'000; ++i) blocks.push_back(take(100, static_cast<char>(i)));
  const std::size_t most = RecordMemory::slab_bytes();
  std::mt19937 random(3);
  for (int i = 0; i < 100'000; ++i) {
    Block& block = blocks[random() % blocks.size()];
    ASSERT_TRUE(is_intact(block));
    free(block);
    block = take(100, static_cast<char>(i));
  }
  EXPECT_LE(RecordMemory::slab_bytes(), most);
  for (const Block& block : blocks) free(block);
}

// Each thread frees blocks that others have taken.
TEST(RecordMemory, ThreadsFreeBlocksOfEachOther) {
  constexpr int kThreads = 6;
  constexpr int kRounds = 20'000;
  const std::size_t before = RecordMemory::slab_bytes();
  std::mutex mutex;
  std::vector<Block> shared;
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) {
    threads.emplace_back([&, number] {
      std::mt19937 random(static_cast<unsigned>(number));
      for (int i = 0; i < kRounds; ++i) {
        // Few sizes, so that threads meet in the same slabs; the last one is the heap's.
        Block block = take(480 + random() % 12 * 3, static_cast<char>(random()));
        {
          const std::lock_guard lock(mutex);
          shared.push_back(block);
          if (shared.size() < 200) continue;
          std::swap(shared[random() % shared.size()], shared.back());
          block = shared.back();
          shared.pop_back();
        }
        EXPECT_TRUE(is_intact(block));
        free(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Block& block : shared) {
    EXPECT_TRUE(is_intact(block));
    free(block);
  }
  EXPECT_EQ(RecordMemory::slab_bytes(), before);
}

}  // namespace
}  // namespace magneto::storage
