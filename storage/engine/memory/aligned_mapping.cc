#include "storage/engine/memory/aligned_mapping.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace magneto::storage {

// Maps more address space, and gives back what lies before and behind the aligned part.
char* map_aligned(std::size_t size, std::size_t alignment) {
  void* const memory = ::mmap(nullptr, size + alignment, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  char* const start = static_cast<char*>(memory);
  const std::size_t before =
      (alignment - reinterpret_cast<std::uintptr_t>(start) % alignment) % alignment;
  char* const aligned = start + before;
  if (before != 0) ::munmap(start, before);
  ::munmap(aligned + size, alignment - before);
  return aligned;
}

}  // namespace magneto::storage
