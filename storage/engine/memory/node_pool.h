#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace magneto::storage {

// Memory for the nodes of all trees of an engine, in large pages if the system has them. Otherwise,
// with millions of items, a walk down a tree would miss in the address translation at every level.
// Freed nodes are reused; the system gets the memory back when the pool is destroyed. Thread-safe.
class NodePool {
 public:
  static constexpr std::size_t kUnit = 256;  // sizes are multiples, nodes aligned to 64 bytes
  static constexpr std::size_t kLargestNode = 4 * kUnit;

  NodePool() = default;
  ~NodePool();
  NodePool(const NodePool&) = delete;
  NodePool& operator=(const NodePool&) = delete;

  // `size`: at most kLargestNode. Throws std::bad_alloc.
  void* allocate(std::size_t size);
  void free(void* node, std::size_t size);
  // Bytes taken from the system.
  std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    std::size_t sum = 0;
    for (const Chunk& chunk : chunks_) sum += chunk.size;
    return sum;
  }

 private:
  struct FreeNode {
    FreeNode* next;
  };
  struct Chunk {
    void* memory;
    std::size_t size;
  };

  void add_chunk();  // requires mutex_

  mutable std::mutex mutex_;                               // guards all below
  std::array<FreeNode*, kLargestNode / kUnit> free_ = {};  // by size in units, less one
  char* next_ = nullptr;                                   // the rest of the last chunk
  char* end_ = nullptr;
  std::vector<Chunk> chunks_;
};

}  // namespace magneto::storage
