#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "storage/index/vector/vector_rows.h"

namespace magneto::storage {

// The same vectors in a map, searched one element after the other in long double: the truth that a
// search in double is measured by.
class VectorReference {
 public:
  using Slot = VectorRows::Slot;

  VectorReference(std::uint32_t dimensions, DistanceFunction function)
      : dimensions_(dimensions), function_(function) {}

  std::map<Slot, std::vector<float>>& vectors() { return vectors_; }

  long double rank(std::span<const float> query, std::span<const float> row) const {
    long double dot = 0, of_query = 0, of_row = 0, distance = 0;
    for (std::size_t i = 0; i < dimensions_; ++i) {
      const long double q = query[i], x = row[i];
      dot += q * x;
      of_query += q * q;
      of_row += x * x;
      distance += (q - x) * (q - x);
    }
    if (function_ == DistanceFunction::kDotProduct) return -dot;
    if (function_ == DistanceFunction::kEuclidean) return distance;
    if (of_query == 0 || of_row == 0) return 1;
    return 1 - dot / std::sqrt(of_query * of_row);
  }

  // Each place has a row whose true rank is that of the place, as far as double can tell, and its
  // score.
  template <class Accepts>
  void expect_exact(std::span<const float> query, std::size_t k,
                    const std::vector<VectorRows::Found>& found, Accepts accepts) const {
    const std::vector<Scored> expected = ranking(query, accepts);
    ASSERT_EQ(found.size(), std::min(k, expected.size()));
    std::set<Slot> seen;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Slot slot = found[i].slot;
      ASSERT_TRUE(vectors_.contains(slot) && accepts(slot) && seen.insert(slot).second);
      const long double its_rank = rank(query, vectors_.at(slot));
      const long double slack =
          resolution(query, vectors_.at(slot)) + resolution(query, vectors_.at(expected[i].slot));
      ASSERT_LE(std::abs(its_rank - expected[i].rank), slack) << "at " << i;
      const long double its_score = score(its_rank);
      const long double off = std::abs(found[i].score - its_score);
      ASSERT_LE(off, std::abs(its_score) * 1e-7L + slack + 0x1p-149L) << "at " << i;
    }
  }

 private:
  struct Scored {
    long double rank;  // less is better
    Slot slot;
  };

  // Sorts by rank, then by slot.
  template <class Accepts>
  std::vector<Scored> ranking(std::span<const float> query, Accepts accepts) const {
    std::vector<Scored> found;
    for (const auto& [slot, vector] : vectors_) {
      if (accepts(slot)) found.push_back({rank(query, vector), slot});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Scored& a, const Scored& b) { return a.rank < b.rank; });
    return found;
  }

  // As VectorRows rounds it, but for the last bits.
  long double score(long double rank) const {
    constexpr long double kGreatest = std::numeric_limits<float>::max();
    if (function_ == DistanceFunction::kCosine) return rank;
    if (function_ == DistanceFunction::kEuclidean) return std::min(std::sqrt(rank), kGreatest);
    return std::clamp(-rank, -kGreatest, kGreatest);
  }

  // The difference that double cannot resolve: a part of the sum of the absolute terms.
  long double resolution(std::span<const float> query, std::span<const float> row) const {
    long double absolutes = 0;
    for (std::size_t i = 0; i < dimensions_; ++i) {
      const long double q = query[i], x = row[i];
      absolutes += function_ == DistanceFunction::kEuclidean ? (q - x) * (q - x) : std::abs(q * x);
    }
    return (function_ == DistanceFunction::kCosine ? 1 : absolutes) * 0x1p-40L;
  }

  const std::uint32_t dimensions_;
  const DistanceFunction function_;
  std::map<Slot, std::vector<float>> vectors_;
};

}  // namespace magneto::storage
