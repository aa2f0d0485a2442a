#include "storage/index/vector/vector_kernels.h"

#if defined(__x86_64__)
#if defined(__clang__)
#define _Bool bool  // NOLINT: the header is written for C, whose name clang does not take in C++
#endif
#include <sys/platform/x86.h>
#if defined(__clang__)
#undef _Bool
#endif
#endif

// Highway compiles this file once for each target and keeps their code apart. Nothing is used of
// its library, which Debian ships only as a shared one. Targets that bring no benefit here are
// excluded, and so are instructions whose presence some compilers cannot test.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define HWY_DISABLE_F16C
#define HWY_DISABLE_PCLMUL_AES
#define HWY_IS_DEBUG_BUILD 0  // its assertions are in the library

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "storage/index/vector/vector_kernels.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace magneto::storage {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<float>;
using Vector = hn::Vec<Lanes>;

struct DotProduct {
  static HWY_INLINE Vector add(Vector query, Vector row, Vector sum) {
    return hn::MulAdd(query, row, sum);
  }
  static HWY_INLINE float add(float query, float row, float sum) { return sum + query * row; }
};

struct SquaredDistance {
  static HWY_INLINE Vector add(Vector query, Vector row, Vector sum) {
    const Vector difference = hn::Sub(row, query);
    return hn::MulAdd(difference, difference, sum);
  }
  static HWY_INLINE float add(float query, float row, float sum) {
    return sum + (row - query) * (row - query);
  }
};

// Sums some rows together: they share the loaded query, and their sums do not wait for each other.
// `next` is the first of as many rows that come soon, or nullptr.
template <class Term, std::size_t kRows, std::size_t kSums>
HWY_INLINE void sum_rows(const float* query, const float* const* rows, const float* const* next,
                         std::size_t length, float* results) {
  const Lanes lanes;
  const std::size_t width = hn::Lanes(lanes);
  Vector sums[kRows][kSums];
  for (auto& of_row : sums) {
    for (Vector& sum : of_row) sum = hn::Zero(lanes);
  }
  std::size_t i = 0;
  for (; i + kSums * width <= length; i += kSums * width) {
    for (std::size_t s = 0; s < kSums; ++s) {
      const std::size_t at = i + s * width;
      const Vector part = hn::LoadU(lanes, query + at);
      for (std::size_t r = 0; r < kRows; ++r) {
        if (next != nullptr) __builtin_prefetch(next[r] + at);
        sums[r][s] = Term::add(part, hn::LoadU(lanes, rows[r] + at), sums[r][s]);
      }
    }
  }
  for (; i + width <= length; i += width) {
    const Vector part = hn::LoadU(lanes, query + i);
    for (std::size_t r = 0; r < kRows; ++r) {
      sums[r][0] = Term::add(part, hn::LoadU(lanes, rows[r] + i), sums[r][0]);
    }
  }
  const bool rest_is_loaded = i < length && length >= width;
  if (rest_is_loaded) {  // loads the last floats again, without those that are already summed
    const auto fresh = hn::Not(hn::FirstN(lanes, i - (length - width)));
    const std::size_t at = length - width;
    const Vector part = hn::IfThenElseZero(fresh, hn::LoadU(lanes, query + at));
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector row = hn::IfThenElseZero(fresh, hn::LoadU(lanes, rows[r] + at));
      sums[r][0] = Term::add(part, row, sums[r][0]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    Vector sum = sums[r][0];
    for (std::size_t s = 1; s < kSums; ++s) sum = hn::Add(sum, sums[r][s]);
    float result = hn::GetLane(hn::SumOfLanes(lanes, sum));
    if (!rest_is_loaded) {
      for (std::size_t rest = i; rest < length; ++rest) {
        result = Term::add(query[rest], rows[r][rest], result);
      }
    }
    results[r] = result;
  }
}

template <class Term>
void sum_all(const float* query, const float* const* rows, std::size_t count, std::size_t length,
             float* results) {
  constexpr std::size_t kTogether = 4;  // with two sums each they fit SSE's and AVX2's registers
  constexpr std::size_t kAhead = 2 * kTogether;  // rows fetched while others are summed
  std::size_t i = 0;
  for (; i + kAhead + kTogether <= count; i += kTogether) {
    sum_rows<Term, kTogether, 2>(query, rows + i, rows + i + kAhead, length, results + i);
  }
  for (; i + kTogether <= count; i += kTogether) {
    sum_rows<Term, kTogether, 2>(query, rows + i, nullptr, length, results + i);
  }
  for (; i < count; ++i) sum_rows<Term, 1, 4>(query, rows + i, nullptr, length, results + i);
}

constexpr VectorKernels kKernels = {HWY_STR(HWY_NAMESPACE), sum_all<DotProduct>,
                                    sum_all<SquaredDistance>};

}  // namespace

const VectorKernels& kernels() { return kKernels; }

}  // namespace HWY_NAMESPACE
}  // namespace magneto::storage
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace magneto::storage {

std::vector<const VectorKernels*> runnable_vector_kernels() {
  std::vector<const VectorKernels*> found;
#if HWY_ARCH_X86
  // The instructions that each target needs; they count only if the system saves their registers.
  // __builtin_cpu_supports would query the processor before main(), slowly on a virtual machine.
  const bool has_sse4 =
      CPU_FEATURE_ACTIVE(SSSE3) && CPU_FEATURE_ACTIVE(SSE4_1) && CPU_FEATURE_ACTIVE(SSE4_2);
  const bool has_avx2 = has_sse4 && CPU_FEATURE_ACTIVE(AVX) && CPU_FEATURE_ACTIVE(AVX2) &&
                        CPU_FEATURE_ACTIVE(BMI1) && CPU_FEATURE_ACTIVE(BMI2) &&
                        CPU_FEATURE_ACTIVE(FMA);
  const bool has_avx3 = has_avx2 && CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512VL) &&
                        CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512BW);
#if HWY_TARGETS & HWY_AVX3
  if (has_avx3) found.push_back(&N_AVX3::kernels());
#endif
#if HWY_TARGETS & HWY_AVX2
  if (has_avx2) found.push_back(&N_AVX2::kernels());
#endif
#if HWY_TARGETS & HWY_SSE4
  if (has_sse4) found.push_back(&N_SSE4::kernels());
#endif
#if HWY_STATIC_TARGET == HWY_SCALAR || HWY_STATIC_TARGET == HWY_EMU128
  found.push_back(&HWY_STATIC_DISPATCH(kernels)());
#endif
#else
  found.push_back(&HWY_STATIC_DISPATCH(kernels)());
#endif
  return found;
}

const VectorKernels& vector_kernels() {
  static const VectorKernels& widest = *runnable_vector_kernels().front();
  return widest;
}

}  // namespace magneto::storage
#endif
