#include "storage/engine/memory/node_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace magneto::storage {

namespace {

constexpr std::size_t kFirstChunk = 64 << 10;  // small, for the many databases of a few items
constexpr std::size_t kLargePage = 2 << 20;
constexpr std::size_t kLargestChunk = 16 * kLargePage;

}  // namespace

NodePool::~NodePool() {
  for (const Chunk& chunk : chunks_) ::munmap(chunk.memory, chunk.size);
}

void* NodePool::allocate(std::size_t size) {
  const std::size_t units = (size + kUnit - 1) / kUnit;
  std::lock_guard lock(mutex_);
  FreeNode*& first = free_[units - 1];
  if (first != nullptr) {
    FreeNode* node = first;
    first = node->next;
    return node;
  }
  if (static_cast<std::size_t>(end_ - next_) < units * kUnit) add_chunk();
  char* node = next_;
  next_ += units * kUnit;
  return node;
}

void NodePool::free(void* node, std::size_t size) {
  const std::size_t units = (size + kUnit - 1) / kUnit;
  std::lock_guard lock(mutex_);
  FreeNode*& first = free_[units - 1];
  first = new (node) FreeNode{first};
}

void NodePool::add_chunk() {
  const std::size_t size =
      chunks_.empty() ? kFirstChunk : std::min(2 * chunks_.back().size, kLargestChunk);
  // Mapping more address space allows a start at a large page's boundary.
  const std::size_t alignment = std::min(size, kLargePage);
  void* memory = ::mmap(nullptr, size + alignment, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  char* start = static_cast<char*>(memory);
  char* aligned =
      start + (alignment - reinterpret_cast<std::uintptr_t>(start) % alignment) % alignment;
  if (aligned != start) ::munmap(start, static_cast<std::size_t>(aligned - start));
  char* surplus = aligned + size;
  if (surplus != start + size + alignment) {
    ::munmap(surplus, static_cast<std::size_t>(start + size + alignment - surplus));
  }
  // Only advice: a system without large pages works with small ones.
  if (size >= kLargePage) ::madvise(aligned, size, MADV_HUGEPAGE);
  chunks_.push_back({aligned, size});
  next_ = aligned;
  end_ = aligned + size;
}

}  // namespace magneto::storage
