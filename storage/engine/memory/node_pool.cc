#include "storage/engine/memory/node_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "storage/engine/memory/aligned_mapping.h"

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
  char* const aligned = map_aligned(size, std::min(size, kLargePage));
  // Only advice: a system without large pages works with small ones.
  if (size >= kLargePage) ::madvise(aligned, size, MADV_HUGEPAGE);
  chunks_.push_back({aligned, size});
  next_ = aligned;
  end_ = aligned + size;
}

}  // namespace magneto::storage
