#pragma once

#include <span>

namespace magneto::storage {

// Sums in double, always in the same order, so that equal vectors have equal sums. Products of two
// floats are exact in double, and no sum of 4,096 of them overflows. A result is off by less than
// 2^-40 of the sum of the absolute terms. Both vectors have the same length.
double dot_product(std::span<const float> left, std::span<const float> right);
double squared_distance(std::span<const float> left, std::span<const float> right);
double squared_norm(std::span<const float> vector);

}  // namespace magneto::storage
