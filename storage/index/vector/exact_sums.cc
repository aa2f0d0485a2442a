#include "storage/index/vector/exact_sums.h"

#include <array>
#include <cstddef>

namespace magneto::storage {
namespace {

// Eight independent sums, whose additions do not wait for each other.
template <class Term>
double sum_terms(std::size_t count, Term term) {
  constexpr std::size_t kSums = 8;
  std::array<double, kSums> sums{};
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t s = 0; s < kSums; ++s) sums[s] += term(i + s);
  }
  for (std::size_t s = 0; i < count; ++i, ++s) sums[s] += term(i);
  for (std::size_t half = kSums / 2; half > 0; half /= 2) {
    for (std::size_t s = 0; s < half; ++s) sums[s] += sums[s + half];
  }
  return sums[0];
}

}  // namespace

double dot_product(std::span<const float> left, std::span<const float> right) {
  return sum_terms(left.size(), [&](std::size_t i) {
    return static_cast<double>(left[i]) * static_cast<double>(right[i]);
  });
}

double squared_distance(std::span<const float> left, std::span<const float> right) {
  return sum_terms(left.size(), [&](std::size_t i) {
    const double difference = static_cast<double>(left[i]) - static_cast<double>(right[i]);
    return difference * difference;
  });
}

double squared_norm(std::span<const float> vector) { return dot_product(vector, vector); }

}  // namespace magneto::storage
