#include "storage/engine/memory/record_memory.h"

#include <sanitizer/asan_interface.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

#include "storage/engine/memory/aligned_mapping.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kSlabSize = RecordMemory::kSlabSize;
constexpr std::size_t kStep = RecordMemory::kStep;
constexpr std::size_t kSizes = RecordMemory::kLargestSmall / kStep;
// Threads take blocks from different slabs, so they seldom wait for each other.
constexpr std::size_t kGroups = 8;

struct SlabList;

// The head of a slab; its blocks follow. Places are distances from the head; 0 is none.
struct Slab {
  SlabList* list;
  Slab* previous;  // in the list, as long as a block is free
  Slab* next;
  std::uint32_t block_size;
  std::uint32_t used;
  std::uint32_t first_free;  // each free block begins with the place of the next one
  std::uint32_t untouched;   // from here on no block was ever in use

  char* at(std::uint32_t place) { return reinterpret_cast<char*>(this) + place; }
  bool is_full() const { return first_free == 0 && untouched + block_size > kSlabSize; }
};
constexpr std::uint32_t kFirstPlace = sizeof(Slab);

// The slabs of one size and one group of threads that have a free block. Aligned to a cache line.
struct alignas(64) SlabList {
  void add(Slab* slab) {
    slab->previous = nullptr;
    slab->next = first;
    if (first != nullptr) first->previous = slab;
    first = slab;
  }
  void remove(Slab* slab) {
    (slab->previous != nullptr ? slab->previous->next : first) = slab->next;
    if (slab->next != nullptr) slab->next->previous = slab->previous;
  }

  std::mutex mutex;  // guards the list, and all of its slabs with those that are full
  Slab* first = nullptr;
};

// The memory of empty slabs.
class SlabSource {
 public:
  void* take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty() && returned_.empty()) map_more();
    std::vector<void*>& from = kept_.empty() ? returned_ : kept_;
    void* slab = from.back();
    from.pop_back();
    ++in_use_;
    return slab;
  }

  void give_back(void* slab) {
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (kept_.size() < RecordMemory::kKeptSlabs) {
      kept_.push_back(slab);
      return;
    }
    ::madvise(slab, kSlabSize, MADV_DONTNEED);
    returned_.push_back(slab);
  }

  std::size_t in_use() const {
    const std::lock_guard lock(mutex_);
    return in_use_;
  }

 private:
  static constexpr std::size_t kFirstMapping = 8;  // slabs
  static constexpr std::size_t kLargestMapping = 512;

  // Requires mutex_.
  void map_more() {
    const std::size_t count = std::clamp(mapped_, kFirstMapping, kLargestMapping);
    // Both lists have room for all slabs, so that give_back() cannot fail.
    kept_.reserve(RecordMemory::kKeptSlabs);
    returned_.reserve(mapped_ + count);
    char* const start = map_aligned(count * kSlabSize, kSlabSize);
    for (char* slab = start + count * kSlabSize; slab != start;) {
      returned_.push_back(slab -= kSlabSize);
    }
    mapped_ += count;
  }

  mutable std::mutex mutex_;     // guards all below
  std::vector<void*> kept_;      // with their memory
  std::vector<void*> returned_;  // without
  std::size_t mapped_ = 0;       // slabs
  std::size_t in_use_ = 0;
};

// Never destroyed: records may be freed at the very end of the process.
SlabSource& source() {
  static SlabSource& one = *new SlabSource;
  return one;
}

constinit std::array<std::array<SlabList, kSizes>, kGroups> lists;

std::size_t group_of_thread() {
  static constinit std::atomic<std::size_t> threads{0};
  thread_local const std::size_t group = threads.fetch_add(1, std::memory_order_relaxed) % kGroups;
  return group;
}

Slab* make_slab(SlabList& list, std::uint32_t block_size) {
  Slab* slab = new (source().take()) Slab{.list = &list,
                                          .previous = nullptr,
                                          .next = nullptr,
                                          .block_size = block_size,
                                          .used = 0,
                                          .first_free = 0,
                                          .untouched = kFirstPlace};
  ASAN_POISON_MEMORY_REGION(slab->at(kFirstPlace), kSlabSize - kFirstPlace);
  list.add(slab);
  return slab;
}

Slab* slab_of(void* block) {
  const std::size_t inside = reinterpret_cast<std::uintptr_t>(block) % kSlabSize;
  return reinterpret_cast<Slab*>(static_cast<char*>(block) - inside);
}

void* allocate_small(std::size_t size) {
  const std::size_t number = (std::max(size, kStep) - 1) / kStep;
  SlabList& list = lists[group_of_thread()][number];
  const auto block_size = static_cast<std::uint32_t>((number + 1) * kStep);
  const std::lock_guard lock(list.mutex);
  Slab* slab = list.first != nullptr ? list.first : make_slab(list, block_size);
  char* block = nullptr;
  if (slab->first_free != 0) {
    block = slab->at(slab->first_free);
    ASAN_UNPOISON_MEMORY_REGION(block, block_size);
    std::memcpy(&slab->first_free, block, sizeof slab->first_free);
  } else {
    block = slab->at(slab->untouched);
    ASAN_UNPOISON_MEMORY_REGION(block, block_size);
    slab->untouched += block_size;
  }
  ++slab->used;
  if (slab->is_full()) list.remove(slab);
  return block;
}

void free_small(void* block) {
  Slab* slab = slab_of(block);
  SlabList& list = *slab->list;
  std::unique_lock lock(list.mutex);
  if (slab->is_full()) list.add(slab);
  std::memcpy(block, &slab->first_free, sizeof slab->first_free);
  ASAN_POISON_MEMORY_REGION(block, slab->block_size);
  slab->first_free = static_cast<std::uint32_t>(static_cast<char*>(block) - slab->at(0));
  if (--slab->used > 0) return;
  list.remove(slab);
  lock.unlock();
  source().give_back(slab);
}

}  // namespace

void* RecordMemory::allocate(std::size_t size) {
  return size <= kLargestSmall ? allocate_small(size) : ::operator new(size);
}

void RecordMemory::free(void* block, std::size_t size) {
  if (size <= kLargestSmall) {
    free_small(block);
  } else {
    ::operator delete(block);
  }
}

std::size_t RecordMemory::slab_bytes() { return source().in_use() * kSlabSize; }

}  // namespace magneto::storage
