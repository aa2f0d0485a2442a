// A library to preload into a server: counts what the process allocates and copies, in a file of
// four 64-bit numbers that COUNT_MEMORY_FILE names: allocations, bytes allocated, copies, bytes
// copied. Copies that the compiler turned into single instructions are not seen.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {
// glibc's own functions.
void* glibc_malloc(std::size_t size) asm("__libc_malloc");
void* glibc_calloc(std::size_t count, std::size_t size) asm("__libc_calloc");
void* glibc_realloc(void* old, std::size_t size) asm("__libc_realloc");
void* glibc_memalign(std::size_t alignment, std::size_t size) asm("__libc_memalign");
}

namespace {

struct Counts {
  std::atomic<std::uint64_t> allocations;
  std::atomic<std::uint64_t> bytes_allocated;
  std::atomic<std::uint64_t> copies;
  std::atomic<std::uint64_t> bytes_copied;
};

Counts before_main;
std::atomic<Counts*> counts{&before_main};

void note_allocation(std::size_t size) {
  Counts& now = *counts.load(std::memory_order_relaxed);
  now.allocations.fetch_add(1, std::memory_order_relaxed);
  now.bytes_allocated.fetch_add(size, std::memory_order_relaxed);
}

void note_copy(std::size_t size) {
  Counts& now = *counts.load(std::memory_order_relaxed);
  now.copies.fetch_add(1, std::memory_order_relaxed);
  now.bytes_copied.fetch_add(size, std::memory_order_relaxed);
}

[[gnu::constructor]] void open_file() {
  const char* const path = std::getenv("COUNT_MEMORY_FILE");
  if (path == nullptr) return;
  const int file = ::open(path, O_RDWR);
  if (file < 0) std::abort();
  void* const shared = ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) std::abort();
  ::close(file);
  counts.store(static_cast<Counts*>(shared), std::memory_order_relaxed);
}

// Not the library's, and not made one by the compiler.
void copy_forward(unsigned char* to, const unsigned char* from, std::size_t size) {
  for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t)) {
    std::uint64_t word;
    __builtin_memcpy(&word, from, sizeof word);
    __builtin_memcpy(to, &word, sizeof word);
    asm volatile("" ::: "memory");
    from += sizeof word;
    to += sizeof word;
  }
  for (; size > 0; --size) {
    *to++ = *from++;
    asm volatile("" ::: "memory");
  }
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  note_allocation(size);
  return glibc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note_allocation(count * size);
  return glibc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  note_allocation(size);
  return glibc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note_allocation(size);
  return glibc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note_allocation(size);
  return glibc_memalign(alignment, size);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
  note_allocation(size);
  *place = glibc_memalign(alignment, size);
  return *place == nullptr ? ENOMEM : 0;
}

void* memcpy(void* to, const void* from, std::size_t size) {
  note_copy(size);
  copy_forward(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), size);
  return to;
}
void* memmove(void* to, const void* from, std::size_t size) {
  note_copy(size);
  auto* const target = static_cast<unsigned char*>(to);
  const auto* const source = static_cast<const unsigned char*>(from);
  if (target <= source || target >= source + size) {
    copy_forward(target, source, size);
    return to;
  }
  while (size-- > 0) {
    target[size] = source[size];
    asm volatile("" ::: "memory");
  }
  return to;
}

}  // extern "C"
