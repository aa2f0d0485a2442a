#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#endif

// Debian builds RocksDB for the oldest x86-64, so its CRC32C uses tables. RocksDB computes it over
// every byte of the log. The linker redirects its calls here (CMakeLists.txt, --wrap); SSE 4.2 has
// an instruction for the same polynomial.

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker gives the names
extern "C" {
std::uint32_t __wrap__ZN7rocksdb6crc32c6ExtendEjPKcm(std::uint32_t crc, const char* data,
                                                     std::size_t size);
std::uint32_t __real__ZN7rocksdb6crc32c6ExtendEjPKcm(std::uint32_t crc, const char* data,
                                                     std::size_t size);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

#if defined(__x86_64__)
[[gnu::target("sse4.2")]] std::uint32_t extend(std::uint32_t crc, const char* data,
                                               std::size_t size) {
  std::uint64_t state = ~crc;
  for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data, sizeof word);
    state = _mm_crc32_u64(state, word);
    data += sizeof word;
  }
  auto rest = static_cast<std::uint32_t>(state);
  for (; size > 0; --size) rest = _mm_crc32_u8(rest, static_cast<std::uint8_t>(*data++));
  return ~rest;
}

bool has_instruction() {
  // Avoids __builtin_cpu_supports: its constructor would query the processor before main(),
  // needlessly, and slowly on a virtual machine.
  static const bool result = [] {
    unsigned int eax = 0;
    unsigned int ebx = 0;
    unsigned int ecx = 0;
    unsigned int edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_SSE4_2) != 0;
  }();
  return result;
}
#endif

}  // namespace

std::uint32_t __wrap__ZN7rocksdb6crc32c6ExtendEjPKcm(std::uint32_t crc, const char* data,
                                                     std::size_t size) {
#if defined(__x86_64__)
  if (has_instruction()) return extend(crc, data, size);
#endif
  return __real__ZN7rocksdb6crc32c6ExtendEjPKcm(crc, data, size);
}
