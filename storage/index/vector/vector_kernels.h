#pragma once

#include <cstddef>
#include <vector>

namespace magneto::storage {

// Sums over many rows at once in 32-bit floating point, in no promised order: row_search.h knows how
// far they may be off. There is one set for each kind of processor that the build knows.
struct VectorKernels {
  // For each of `count` rows of `length` floats the result with the query. No alignment is asked
  // for; nothing beyond `length` is read, and nothing of a row beyond `count` is touched.
  using Kernel = void (*)(const float* query, const float* const* rows, std::size_t count,
                          std::size_t length, float* results);

  const char* name;          // Highway's, of the target: "N_AVX3" is AVX-512
  Kernel dot_products;       // sum of q * x
  Kernel squared_distances;  // sum of (x - q) * (x - q): infinite when too large, never NaN
};

// The widest that this machine can run.
const VectorKernels& vector_kernels();

// All that this machine can run, the widest first.
std::vector<const VectorKernels*> runnable_vector_kernels();

}  // namespace magneto::storage
