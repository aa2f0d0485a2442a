#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "storage/index/vector/vector_rows.h"

namespace magneto::storage {

// One search over rows, which come in ascending order of their slots.
//
// 32-bit sums rule out most rows, but never a row that is among the k best. Let u = 2^-24 be the
// rounding error of a float operation, n the dimensions, q' = q / |q|, and T the value of the k-th
// best of the rows ranked so far. In a sum of n products, in any order, each product passes through
// at most n roundings, fused or not. Hence (Higham, Accuracy and Stability of Numerical Algorithms,
// 3.1), with g(m) = m u / (1 - m u) and h = n 2^-149 for products that underflow:
//   squared distance s: differences round once, so |sum - s| <= g(n + 2) s + h. A row is ruled out
//     if sum > T (1 + g) + h. Overflow makes the sum infinite: right if the bound is finite.
//   dot product with q', whose components round once: |sum - q' * x| <= g(n + 1) |x| + h, by
//     Cauchy and Schwarz. The row's factor is |x|, rounded up, or infinite above 2^100, because
//     sums might overflow. A row is ruled out if sum + g * factor < T / |q| - h.
//   cosine: the row's factor f is 1 / |x|, off by u; or NaN unless 2^-100 <= |x| <= 2^100, in which
//     range f * h is below 2^-36, less than u / 2. |sum * f - cos| <= g(n + 4). A row is ruled out
//     if sum * f < T - g.
// The search uses g(n + 8) for g. The excess, at least 3 u, is more than the roundings of these
// comparisons, of factors and of the doubles (exact_sums.h) together. Bounds are rounded to the
// side that rules out less. NaN compares false, so it never rules out. All other rows are ranked in
// double.
class RowSearch {
 public:
  using Slot = VectorRows::Slot;

  // The data of a row that the search needs besides the row, stored with it. 0 for kEuclidean.
  static float factor_of(DistanceFunction function, std::span<const float> vector);
  static bool has_factor(DistanceFunction function) {
    return function != DistanceFunction::kEuclidean;
  }

  // The query must outlive this object. At most `rows` rows may be offered.
  RowSearch(DistanceFunction function, std::span<const float> query, std::size_t k,
            std::size_t rows);

  // The row must stay until finish().
  void offer(Slot slot, const float* row, float factor) {
    slots_[waiting_] = slot;
    rows_[waiting_] = row;
    factors_[waiting_] = factor;
    if (++waiting_ == kBlock) look_at_waiting();
  }

  // The best rows, best first. Ends the search.
  std::vector<VectorRows::Found> finish();

 private:
  // Rows whose sums are computed at once. They are still in a near cache when they are ranked.
  static constexpr std::size_t kBlock = 64;

  // A smaller rank is better, for all functions.
  struct Ranked {
    double rank;
    Slot slot;
    friend bool operator<(const Ranked& left, const Ranked& right) {
      return left.rank != right.rank ? left.rank < right.rank : left.slot < right.slot;
    }
  };

  void look_at_waiting();
  bool is_ruled_out(float sum, float factor) const;
  double rank_of(const float* row) const;
  void rank(std::size_t waiting);
  void lower_bar();
  float score_of(double rank) const;

  const DistanceFunction function_;
  const std::span<const float> query_;
  const std::size_t k_;
  double squared_norm_;            // of the query
  std::vector<float> multiplier_;  // q', or q for kEuclidean
  double relative_error_;          // g
  double underflow_;               // h
  float factor_error_;             // g, rounded up
  std::vector<Ranked> best_;       // a heap, the worst on top
  float bar_;                      // of k rows: rows beyond it are ruled out
  std::size_t waiting_ = 0;
  std::array<Slot, kBlock> slots_;
  std::array<const float*, kBlock> rows_;
  std::array<float, kBlock> factors_;
};

}  // namespace magneto::storage
