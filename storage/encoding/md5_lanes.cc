#include "storage/encoding/md5_lanes.h"

#include <bit>
#include <cstring>
#include <utility>

namespace magneto::storage {
namespace {

// Four lanes, the widest register of every amd64 and arm64 processor.
using Lanes = std::uint32_t __attribute__((vector_size(16)));
constexpr std::size_t kLanes = 4;
static_assert(Md5Lanes::kCount == 2 * kLanes);
static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kSteps = 64;
// RFC 1321, 3.4: of step i, the whole part of 2^32 * |sin(i + 1)|.
constexpr std::uint32_t kSines[kSteps] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
constexpr unsigned kShifts[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
constexpr std::uint32_t kStart[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

struct State {
  Lanes a, b, c, d;
};

Lanes all_lanes(std::uint32_t value) { return Lanes{value, value, value, value}; }

template <std::size_t kRound>
Lanes mix(const State& s) {
  if constexpr (kRound == 0) return s.d ^ (s.b & (s.c ^ s.d));
  if constexpr (kRound == 1) return s.c ^ (s.d & (s.b ^ s.c));
  if constexpr (kRound == 2) return s.b ^ s.c ^ s.d;
  if constexpr (kRound == 3) return s.c ^ (s.b | ~s.d);
}

// The word of the block that a step takes.
constexpr std::size_t word_of(std::size_t step) {
  constexpr std::size_t kFactors[4] = {1, 5, 3, 7};
  constexpr std::size_t kOffsets[4] = {0, 1, 5, 0};
  return (kFactors[step / 16] * step + kOffsets[step / 16]) % 16;
}

template <std::size_t kStep>
void take_step(State& s, const std::uint32_t* word) {
  Lanes words;
  std::memcpy(&words, word, sizeof words);
  constexpr unsigned kShift = kShifts[kStep / 16][kStep % 4];
  const Lanes sum = s.a + mix<kStep / 16>(s) + words + all_lanes(kSines[kStep]);
  const Lanes turned = (sum << kShift) | (sum >> (32 - kShift));
  s = {s.d, s.b + turned, s.b, s.c};
}

}  // namespace

void Md5Lanes::set(std::size_t lane, std::string_view first, std::string_view second) {
  char block[sizeof(std::uint32_t) * kWords] = {};
  std::memcpy(block, first.data(), first.size());
  std::memcpy(block + first.size(), second.data(), second.size());
  const std::size_t size = first.size() + second.size();
  block[size] = '\x80';
  const std::uint64_t bits = 8 * size;
  std::memcpy(block + sizeof block - sizeof bits, &bits, sizeof bits);
  for (std::size_t i = 0; i < kWords; ++i) {
    std::memcpy(&words_[i][lane], block + i * sizeof(std::uint32_t), sizeof(std::uint32_t));
  }
}

std::array<std::uint64_t, Md5Lanes::kCount> Md5Lanes::heads() const {
  const State start{all_lanes(kStart[0]), all_lanes(kStart[1]), all_lanes(kStart[2]),
                    all_lanes(kStart[3])};
  State halves[2] = {start, start};
  [&]<std::size_t... kStep>(std::index_sequence<kStep...>) {
    ((take_step<kStep>(halves[0], words_[word_of(kStep)]),
      take_step<kStep>(halves[1], words_[word_of(kStep)] + kLanes)),
     ...);
  }
  (std::make_index_sequence<kSteps>());
  std::array<std::uint64_t, kCount> heads;
  for (std::size_t lane = 0; lane < kCount; ++lane) {
    const State& half = halves[lane / kLanes];
    const std::uint32_t a = half.a[lane % kLanes] + kStart[0];
    const std::uint32_t b = half.b[lane % kLanes] + kStart[1];
    heads[lane] = std::uint64_t{__builtin_bswap32(a)} << 32 | __builtin_bswap32(b);
  }
  return heads;
}

}  // namespace magneto::storage
