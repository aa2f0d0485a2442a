#include "storage/index/vector/vector_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "tests/storage/index/vector/vector_reference.h"

namespace magneto::storage {
namespace {

using RowsSlot = VectorRows::Slot;
using Found = std::vector<VectorRows::Found>;

constexpr float kGreatestRows = std::numeric_limits<float>::max();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();
constexpr DistanceFunction kFunctions[] = {DistanceFunction::kCosine, DistanceFunction::kDotProduct,
                                           DistanceFunction::kEuclidean};

VectorRows rows_of(DistanceFunction function, const std::vector<std::vector<float>>& vectors) {
  VectorRows rows(static_cast<std::uint32_t>(vectors.front().size()), function);
  for (const std::vector<float>& vector : vectors) rows.add(vector);
  return rows;
}

TEST(VectorRows, ScoresAreAwss) {
  const std::vector<std::vector<float>> vectors = {{0, 2}, {-3, 0}, {0.5, 0}, {1, 1}};
  const float query[] = {1, 0};
  EXPECT_EQ(rows_of(DistanceFunction::kCosine, vectors).search(query, 9),
            (Found{{2, 0}, {3, 0.29289323F}, {0, 1}, {1, 2}}));
  EXPECT_EQ(rows_of(DistanceFunction::kEuclidean, vectors).search(query, 9),
            (Found{{2, 0.5}, {3, 1}, {0, 2.236068F}, {1, 4}}));
  EXPECT_EQ(rows_of(DistanceFunction::kDotProduct, vectors).search(query, 9),
            (Found{{3, 1}, {2, 0.5}, {0, 0}, {1, -3}}));
}

TEST(VectorRows, AVectorIsAtNothingFromItself) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (std::uint32_t dimensions = 1; dimensions < 200; ++dimensions) {
    std::vector<float> vector(dimensions);
    for (float& value : vector) value = normal(random);
    for (const auto function : {DistanceFunction::kCosine, DistanceFunction::kEuclidean}) {
      EXPECT_EQ(rows_of(function, {vector}).search(vector, 1), (Found{{0, 0}}));
    }
  }
}

TEST(VectorRows, NothingIsFoundInAnEmptySetOrOfNone) {
  for (const DistanceFunction function : kFunctions) {
    VectorRows rows(3, function);
    const float vector[] = {1, 2, 3};
    EXPECT_TRUE(rows.search(vector, 10).empty());
    EXPECT_EQ(rows.end(), 0U);
    rows.add(vector);
    EXPECT_TRUE(rows.search(vector, 0).empty());
    EXPECT_TRUE(rows.search(vector, 10, [](RowsSlot) { return false; }).empty());
    EXPECT_EQ(rows.search(vector, 100).size(), 1U);
    rows.remove(0);
    EXPECT_TRUE(rows.search(vector, 10).empty());
    EXPECT_EQ(rows.size(), 0U);
  }
}

TEST(VectorRows, OtherLengthsAreRefused) {
  EXPECT_THROW(VectorRows(0, DistanceFunction::kCosine), std::length_error);
  EXPECT_THROW(VectorRows(4097, DistanceFunction::kCosine), std::length_error);
  VectorRows rows(2, DistanceFunction::kCosine);
  const float vector[] = {1, 2, 3};
  const RowsSlot slot = rows.add({vector, 2});
  EXPECT_THROW(rows.add(vector), std::length_error);
  EXPECT_THROW(rows.add({vector, 1}), std::length_error);
  EXPECT_THROW(rows.replace(slot, vector), std::length_error);
  EXPECT_THROW(rows.search(vector, 1), std::length_error);
  EXPECT_THROW(rows.search(vector, 1, [](RowsSlot) { return true; }), std::length_error);
  EXPECT_EQ(rows.size(), 1U);
}

TEST(VectorRows, AllZerosAreOrthogonalToAll) {
  const std::vector<std::vector<float>> vectors = {{-1, -1}, {0, 0}, {-0.0F, 0}, {1, 1}};
  const float query[] = {1, 1};
  const float zeros[] = {0, 0};
  EXPECT_EQ(rows_of(DistanceFunction::kCosine, vectors).search(query, 4),
            (Found{{3, 0}, {1, 1}, {2, 1}, {0, 2}}));
  EXPECT_EQ(rows_of(DistanceFunction::kCosine, vectors).search(zeros, 3),
            (Found{{0, 1}, {1, 1}, {2, 1}}));
  EXPECT_EQ(rows_of(DistanceFunction::kDotProduct, vectors).search(zeros, 2),
            (Found{{0, 0}, {1, 0}}));
}

TEST(VectorRows, ScoresBeyondFloatsAreTheGreatestFloat) {
  const std::vector<std::vector<float>> vectors = {{kGreatestRows, kGreatestRows},
                                                   {-kGreatestRows, -kGreatestRows},
                                                   {kGreatestRows, -kGreatestRows}};
  EXPECT_EQ(rows_of(DistanceFunction::kDotProduct, vectors).search(vectors[0], 3),
            (Found{{0, kGreatestRows}, {2, 0}, {1, -kGreatestRows}}));
  EXPECT_EQ(rows_of(DistanceFunction::kEuclidean, vectors).search(vectors[0], 3),
            (Found{{0, 0}, {2, kGreatestRows}, {1, kGreatestRows}}));
  EXPECT_EQ(rows_of(DistanceFunction::kCosine, vectors).search(vectors[0], 3),
            (Found{{0, 0}, {2, 1}, {1, 2}}));
}

TEST(VectorRows, FloatsOfAllMagnitudesAreRankedAsTheyAre) {
  constexpr float kMagnitudes[] = {kGreatestRows, 1e30F,  0x1p100F, 0x1p64F,   1,
                                   1e-10F,        1e-20F, 1e-30F,   0x1p-100F, 1e-38F,
                                   1e-42F,        kLeast, 0};
  std::mt19937 random(11);
  for (const DistanceFunction function : kFunctions) {
    for (std::uint32_t dimensions = 1; dimensions <= 33; ++dimensions) {
      VectorRows rows(dimensions, function);
      VectorReference model(dimensions, function);
      // Vectors with one magnitude, or with a random one for each element.
      const auto next = [&] {
        std::vector<float> vector(dimensions);
        const std::size_t base = random() % std::size(kMagnitudes);
        const std::size_t spread = random() % 2 == 0 ? 1 : std::size(kMagnitudes);
        for (float& value : vector) {
          value = kMagnitudes[(base + random() % spread) % std::size(kMagnitudes)];
          if (random() % 2 == 0) value = -value;
        }
        return vector;
      };
      for (int i = 0; i < 300; ++i) {
        const std::vector<float> vector = next();
        model.vectors()[rows.add(vector)] = vector;
      }
      for (int i = 0; i < 30; ++i) {
        const std::vector<float> query = next();
        model.expect_exact(query, 10, rows.search(query, 10), [](RowsSlot) { return true; });
        if (HasFatalFailure()) return;
      }
    }
  }
}

// 32-bit sums cannot separate these scores. The sums of whole numbers are exact in double.
TEST(VectorRows, NearTiesOfLongVectorsAreRankedExactly) {
  constexpr std::uint32_t kRowDimensions = 1000;
  constexpr std::size_t kVectors = 3000;
  for (const auto function : {DistanceFunction::kDotProduct, DistanceFunction::kEuclidean}) {
    std::mt19937 random(3);
    VectorRows rows(kRowDimensions, function);
    const std::vector<float> query(kRowDimensions, 1);
    std::vector<std::pair<std::int64_t, RowsSlot>> expected;
    for (std::size_t i = 0; i < kVectors; ++i) {
      std::vector<float> vector(kRowDimensions, 0x1p20F);
      for (int changes = 0; changes < 3; ++changes) {
        vector[random() % kRowDimensions] += static_cast<float>(random() % 5) - 2;
      }
      std::int64_t rank = 0;
      for (const float value : vector) {
        const auto whole = static_cast<std::int64_t>(value);
        rank += function == DistanceFunction::kDotProduct ? -whole : (whole - 1) * (whole - 1);
      }
      expected.emplace_back(rank, rows.add(vector));
    }
    std::ranges::sort(expected);
    const Found found = rows.search(query, 100);
    ASSERT_EQ(found.size(), 100U);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(found[i].slot, expected[i].second) << i;
  }
}

TEST(VectorRows, TheLastBitOfOneElementDecides) {
  constexpr std::uint32_t kRowDimensions = 1024;
  constexpr int kVectors = 2000;
  for (const DistanceFunction function : kFunctions) {
    std::vector<int> steps(kVectors);
    std::iota(steps.begin(), steps.end(), 0);
    std::shuffle(steps.begin(), steps.end(), std::mt19937(7));
    VectorRows rows(kRowDimensions, function);
    std::vector<RowsSlot> slot_of_step(kVectors);
    for (const int step : steps) {
      std::vector<float> vector(kRowDimensions, 1);
      vector[500] += static_cast<float>(step) * std::numeric_limits<float>::epsilon();
      slot_of_step[static_cast<std::size_t>(step)] = rows.add(vector);
    }
    // The farther from 1, the longer, and the nearer to the axis.
    std::vector<float> query(kRowDimensions,
                             function == DistanceFunction::kDotProduct ? 1.0F : 0.0F);
    if (function == DistanceFunction::kCosine) query[500] = 1;
    if (function != DistanceFunction::kEuclidean) std::ranges::reverse(slot_of_step);
    const Found found = rows.search(query, 50);
    ASSERT_EQ(found.size(), 50U);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(found[i].slot, slot_of_step[i]) << i;
  }
}

TEST(VectorRows, EqualVectorsComeInTheOrderOfTheirSlots) {
  for (const DistanceFunction function : kFunctions) {
    VectorRows rows(128, function);
    const std::vector<float> vector(128, 0.1F);
    for (int i = 0; i < 1000; ++i) rows.add(vector);
    const Found found = rows.search(vector, 100);
    ASSERT_EQ(found.size(), 100U);
    for (RowsSlot slot = 0; slot < 100; ++slot) EXPECT_EQ(found[slot].slot, slot);
    const Found every_third = rows.search(vector, 20, [](RowsSlot slot) { return slot % 3 == 1; });
    for (RowsSlot i = 0; i < 20; ++i) EXPECT_EQ(every_third[i].slot, 3 * i + 1);
  }
}

TEST(VectorRows, BetterAndBetterOnesAreAllRanked) {
  for (const DistanceFunction function : kFunctions) {
    VectorRows rows(4, function);
    constexpr int kVectors = 500;
    for (int i = 0; i < kVectors; ++i) {
      const float off = static_cast<float>(kVectors - i);
      rows.add(std::vector<float>{1000 - off, off, 0, 0});
    }
    const std::vector<float> query = {1000, 0, 0, 0};
    const Found found = rows.search(query, 7);
    ASSERT_EQ(found.size(), 7U);
    for (RowsSlot i = 0; i < 7; ++i) EXPECT_EQ(found[i].slot, kVectors - 1 - i);
  }
}

TEST(VectorRows, TheFilterIsAskedOnceForEachSlotInUse) {
  VectorRows rows(2, DistanceFunction::kCosine);
  const float vector[] = {1, 2};
  for (int i = 0; i < 300; ++i) rows.add(vector);
  rows.remove(17);
  std::vector<RowsSlot> asked;
  rows.search(vector, 3, [&](RowsSlot slot) {
    asked.push_back(slot);
    return true;
  });
  std::vector<RowsSlot> expected(300);
  std::iota(expected.begin(), expected.end(), 0U);
  expected.erase(expected.begin() + 17);
  EXPECT_EQ(asked, expected);
}

TEST(VectorRows, SearchesMayRunAtTheSameTime) {
  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  VectorRows rows(64, DistanceFunction::kDotProduct);
  std::vector<float> vector(64);
  for (int i = 0; i < 2000; ++i) {
    for (float& value : vector) value = normal(random);
    rows.add(vector);
  }
  const Found expected = rows.search(vector, 20);
  std::vector<Found> found(4);
  std::vector<std::thread> threads;
  for (Found& result : found) {
    threads.emplace_back([&] { result = rows.search(vector, 20); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Found& result : found) EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace magneto::storage
