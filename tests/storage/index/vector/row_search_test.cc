#include "storage/index/vector/row_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "storage/index/vector/exact_sums.h"

// The largest possible error of 32-bit sums: a row that is a little better than the one before it
// looks worse. Without the part of the bound that each test is about, the row would be ruled out.
namespace magneto::storage {
namespace {

using Vector = std::vector<float>;

constexpr float kGreatest = std::numeric_limits<float>::max();
constexpr std::size_t kDimensions = 4096;

void expect_the_second(DistanceFunction function, const Vector& query, const Vector& first,
                       const Vector& second) {
  VectorRows rows(static_cast<std::uint32_t>(query.size()), function);
  rows.add(first);
  const VectorRows::Slot slot = rows.add(second);
  const auto found = rows.search(query, 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().slot, slot);
}

// Next to a long first element, products of 0.9 times half the least float, which are lost.
struct LostProducts {
  LostProducts() : query(kDimensions, 0.9F * 0x1p-16F), row(kDimensions, 0x1p-134F) {
    query.front() = 1;
    row.front() = 0x1.2p-128F;
    query.back() = 0;
  }

  static constexpr double kLost = (kDimensions - 2) * 0.9 * 0x1p-150;
  Vector query;
  Vector row;
};

TEST(RowSearch, ProductsThatUnderflowCountInADotProduct) {
  const LostProducts lost;
  Vector first(kDimensions, 0);
  first.front() = 0x1.2p-128F + static_cast<float>(LostProducts::kLost / 2);
  expect_the_second(DistanceFunction::kDotProduct, lost.query, first, lost.row);
}

TEST(RowSearch, ProductsThatUnderflowCountInACosine) {
  const LostProducts lost;
  const double norm = std::sqrt(squared_norm(lost.query));
  const double row_norm = std::sqrt(squared_norm(lost.row));
  const double cosine = dot_product(lost.query, lost.row) / norm / row_norm;
  const double between = cosine - LostProducts::kLost / row_norm / 4;
  // The query plus an orthogonal part, so that its cosine is between the two.
  Vector first = lost.query;
  first.back() = static_cast<float>(norm * std::sqrt(1 / (between * between) - 1));
  expect_the_second(DistanceFunction::kCosine, lost.query, first, lost.row);
}

TEST(RowSearch, SquaresThatUnderflowAreNotTakenForMore) {
  const Vector query(kDimensions, 0);
  const Vector second(kDimensions, static_cast<float>(std::sqrt(1.1 * 0x1p-150)));
  Vector first(kDimensions, 0);
  first.front() = static_cast<float>(std::sqrt(kDimensions * 1.4 * 0x1p-150));
  expect_the_second(DistanceFunction::kEuclidean, query, first, second);
}

TEST(RowSearch, SumsThatOverflowHalfwayAreNotTakenForLess) {
  const Vector query(64, 1);
  const Vector first(64, -0.0625F * kGreatest);
  for (unsigned log2 = 0; log2 < 6; ++log2) {
    SCOPED_TRACE(log2);
    for (const unsigned sign : {0U, 1U}) {
      Vector second(64);
      for (unsigned i = 0; i < 64; ++i) {
        second[i] = ((i >> log2) & 1U) == sign ? -0.3F * kGreatest : 0.225F * kGreatest;
      }
      expect_the_second(DistanceFunction::kDotProduct, query, first, second);
    }
  }
}

}  // namespace
}  // namespace magneto::storage
