#include "storage/index/vector/row_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "storage/index/vector/exact_sums.h"
#include "storage/index/vector/vector_kernels.h"

namespace magneto::storage {
namespace {

using Limits = std::numeric_limits<float>;

constexpr double kLeastNorm = 0x1p-100;
constexpr double kGreatestNorm = 0x1p100;

float nearest_float(double value) {
  constexpr double kGreatest = Limits::max();
  return static_cast<float>(std::clamp(value, -kGreatest, kGreatest));
}

// Infinite if no finite float is as small.
float rounded_down(double value) {
  if (value < -static_cast<double>(Limits::max())) return -Limits::infinity();
  const float nearest = nearest_float(value);
  if (static_cast<double>(nearest) <= value) return nearest;
  return std::nextafter(nearest, -Limits::infinity());
}

float rounded_up(double value) { return -rounded_down(-value); }

}  // namespace

float RowSearch::factor_of(DistanceFunction function, std::span<const float> vector) {
  if (function == DistanceFunction::kEuclidean) return 0;
  const double norm = std::sqrt(squared_norm(vector));
  if (function == DistanceFunction::kDotProduct) {
    return norm > kGreatestNorm ? Limits::infinity() : rounded_up(norm);
  }
  if (norm < kLeastNorm || norm > kGreatestNorm) return Limits::quiet_NaN();
  return static_cast<float>(1 / norm);
}

RowSearch::RowSearch(DistanceFunction function, std::span<const float> query, std::size_t k,
                     std::size_t rows)
    : function_(function),
      query_(query),
      k_(k),
      squared_norm_(squared_norm(query)),
      multiplier_(query.begin(), query.end()),
      bar_(-Limits::infinity()) {
  const double roundings = static_cast<double>(query.size() + 8) * 0x1p-24;
  relative_error_ = roundings / (1 - roundings);
  factor_error_ = rounded_up(relative_error_);
  underflow_ = static_cast<double>(query.size()) * 0x1p-149;
  if (has_factor(function) && squared_norm_ > 0) {
    const double norm = std::sqrt(squared_norm_);
    for (float& value : multiplier_) {
      value = static_cast<float>(static_cast<double>(value) / norm);
    }
  }
  best_.reserve(std::min(k, rows));
}

double RowSearch::rank_of(const float* row) const {
  const std::span<const float> vector(row, query_.size());
  switch (function_) {
    case DistanceFunction::kEuclidean:
      return squared_distance(query_, vector);
    case DistanceFunction::kDotProduct:
      return -dot_product(query_, vector);
    case DistanceFunction::kCosine:
      break;
  }
  // The root of a square is exact, so a vector has distance 0 from itself.
  const double norms = std::sqrt(squared_norm_ * squared_norm(vector));
  if (norms == 0) return 1;
  return 1 - std::clamp(dot_product(query_, vector) / norms, -1.0, 1.0);
}

float RowSearch::score_of(double rank) const {
  switch (function_) {
    case DistanceFunction::kEuclidean:
      return nearest_float(std::sqrt(rank));
    case DistanceFunction::kDotProduct:
      return nearest_float(0.0 - rank);  // no negative zero
    case DistanceFunction::kCosine:
      break;
  }
  return nearest_float(rank);
}

// The bar for is_ruled_out(), from the worst of k rows.
void RowSearch::lower_bar() {
  const double worst = best_.front().rank;
  switch (function_) {
    case DistanceFunction::kEuclidean:
      bar_ = rounded_down(-(worst * (1 + relative_error_) + underflow_));
      return;
    case DistanceFunction::kDotProduct:
      if (squared_norm_ > 0) bar_ = rounded_down(-worst / std::sqrt(squared_norm_) - underflow_);
      return;
    case DistanceFunction::kCosine:
      if (squared_norm_ > 0) bar_ = rounded_down(1 - worst - relative_error_);
      return;
  }
}

bool RowSearch::is_ruled_out(float sum, float factor) const {
  switch (function_) {
    case DistanceFunction::kEuclidean:
      return -sum < bar_;
    case DistanceFunction::kDotProduct:
      return sum + factor_error_ * factor < bar_;
    case DistanceFunction::kCosine:
      break;
  }
  return sum * factor < bar_;
}

void RowSearch::rank(std::size_t waiting) {
  const Ranked ranked{rank_of(rows_[waiting]), slots_[waiting]};
  if (best_.size() == k_) {
    if (!(ranked < best_.front())) return;
    std::pop_heap(best_.begin(), best_.end());
    best_.back() = ranked;
  } else {
    best_.push_back(ranked);
  }
  std::push_heap(best_.begin(), best_.end());
  if (best_.size() == k_) lower_bar();
}

void RowSearch::look_at_waiting() {
  std::size_t first = 0;
  while (first < waiting_ && best_.size() < k_) rank(first++);
  const std::size_t count = waiting_ - first;
  waiting_ = 0;
  if (count == 0) return;
  std::array<float, kBlock> sums;
  const VectorKernels& kernels = vector_kernels();
  const auto kernel =
      function_ == DistanceFunction::kEuclidean ? kernels.squared_distances : kernels.dot_products;
  kernel(multiplier_.data(), rows_.data() + first, count, query_.size(), sums.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_ruled_out(sums[i], factors_[first + i])) rank(first + i);
  }
}

std::vector<VectorRows::Found> RowSearch::finish() {
  look_at_waiting();
  std::sort_heap(best_.begin(), best_.end());
  std::vector<VectorRows::Found> found;
  found.reserve(best_.size());
  for (const Ranked& ranked : best_) found.push_back({ranked.slot, score_of(ranked.rank)});
  return found;
}

}  // namespace magneto::storage
