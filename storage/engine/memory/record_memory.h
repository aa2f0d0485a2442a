#pragma once

#include <cstddef>

namespace magneto::storage {

// Memory for the records of all engines. A small block has no head of its own, and its size is
// rounded to 4 bytes. It comes from a slab, which is cut into blocks of one size. A slab without
// blocks in use goes back to the system. A larger block comes from the heap. Thread-safe; a thread
// may free blocks of another.
class RecordMemory {
 public:
  static constexpr std::size_t kStep = 4;  // sizes of small blocks are multiples, and addresses too
  static constexpr std::size_t kLargestSmall = 512;
  static constexpr std::size_t kSlabSize = 32 << 10;
  // Slabs that stay with the process when they are empty, for the next blocks.
  static constexpr std::size_t kKeptSlabs = 16;

  // Throws std::bad_alloc.
  static void* allocate(std::size_t size);
  static void free(void* block, std::size_t size);

  // The bytes that a block of `size` takes.
  static constexpr std::size_t bytes_of(std::size_t size) {
    if (size <= kLargestSmall) return (size + kStep - 1) / kStep * kStep;
    return (size + kHeapHead + kHeapStep - 1) / kHeapStep * kHeapStep;
  }
  // The bytes of all slabs that have blocks in use.
  static std::size_t slab_bytes();

 private:
  // glibc's malloc
  static constexpr std::size_t kHeapHead = 8;
  static constexpr std::size_t kHeapStep = 16;
};

}  // namespace magneto::storage
