#pragma once

#include <cstddef>
#include <vector>

namespace magneto::storage {

// Sums over many rows at once in 32-bit floating point, in no fixed order; row_search.h describes
// their error. There is one set for each kind of processor that the build supports.
struct VectorKernels {
  // Computes the result with the query for each of `count` rows of `length` floats. Needs no
  // alignment; reads nothing beyond `length`, and no row beyond `count`.
  using Kernel = void (*)(const float* query, const float* const* rows, std::size_t count,
                          std::size_t length, float* results);

  const char* name;          // Highway's name of the target: "N_AVX3" is AVX-512
  Kernel dot_products;       // sum of q * x
  Kernel squared_distances;  // sum of (x - q) * (x - q): infinite if too large, never NaN
};

// The widest set that this machine can run.
const VectorKernels& vector_kernels();

// All sets that this machine can run, the widest first.
std::vector<const VectorKernels*> runnable_vector_kernels();

}  // namespace magneto::storage
