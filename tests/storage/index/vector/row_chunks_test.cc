#include "storage/index/vector/row_chunks.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "storage/index/vector/vector_rows.h"

namespace magneto::storage {
namespace {

using Slot = RowChunks::Slot;

TEST(RowChunks, SlotsAreGivenFromTheLowestOn) {
  for (const std::uint32_t length : {1U, 7U, 128U, 300U, 4096U}) {
    RowChunks chunks(length, true);
    for (Slot i = 0; i < 700; ++i) {
      ASSERT_EQ(chunks.take(), i);
      chunks.row(i)[length - 1] = static_cast<float>(i);
      chunks.factor(i) = -static_cast<float>(i);
    }
    Slot next = 0;
    chunks.for_each([&](Slot slot, const float* row, float factor) {
      EXPECT_EQ(slot, next++);
      EXPECT_EQ(row[length - 1], static_cast<float>(slot));
      EXPECT_EQ(factor, -static_cast<float>(slot));
      EXPECT_EQ(row, chunks.row(slot));
    });
    EXPECT_EQ(next, 700U);
  }
}

TEST(RowChunks, RowsDoNotOverlap) {
  for (const bool with_factors : {false, true}) {
    for (std::uint32_t length = 1; length < 70; ++length) {
      RowChunks chunks(length, with_factors);
      std::set<const float*> starts;
      for (int i = 0; i < 600; ++i) {
        float* row = chunks.row(chunks.take());
        std::fill_n(row, length, 1.0F);
        starts.insert(row);
      }
      const float* last = nullptr;
      for (const float* start : starts) {
        ASSERT_TRUE(last == nullptr || start - last >= static_cast<std::ptrdiff_t>(length));
        last = start;
      }
      EXPECT_EQ(chunks.size(), 600U);
    }
  }
}

TEST(RowChunks, FreeSlotsAreUsedAgainAndTheOthersStay) {
  std::mt19937 random(1);
  RowChunks chunks(100, false);
  std::set<Slot> used;
  for (int step = 0; step < 20'000; ++step) {
    const bool takes = used.empty() || random() % 100 < (step < 10'000 ? 60U : 40U);
    if (takes) {
      const Slot slot = chunks.take();
      ASSERT_TRUE(used.insert(slot).second);
      chunks.row(slot)[99] = static_cast<float>(slot);
    } else {
      const Slot slot = *std::next(used.begin(), static_cast<long>(random() % used.size()));
      chunks.give_back(slot);
      used.erase(slot);
    }
    ASSERT_EQ(chunks.size(), used.size());
    ASSERT_TRUE(used.empty() || *used.rbegin() < chunks.end());
  }
  auto expected = used.begin();
  chunks.for_each([&](Slot slot, const float* row, float) {
    EXPECT_EQ(slot, *expected++);
    EXPECT_EQ(row[99], static_cast<float>(slot));
  });
  EXPECT_EQ(expected, used.end());
}

TEST(RowChunks, FromAHundredVectorsOnAFifthMoreIsEnough) {
  for (const auto function : {DistanceFunction::kCosine, DistanceFunction::kEuclidean}) {
    for (const std::uint32_t dimensions : {256U, 384U, 1000U, 1024U, 1536U, 4096U}) {
      VectorRows rows(dimensions, function);
      const std::vector<float> vector(dimensions, 1);
      while (rows.size() < 3000) {
        rows.add(vector);
        if (rows.size() < 100) continue;
        const double floats = static_cast<double>(rows.size() * dimensions * sizeof(float));
        ASSERT_LE(static_cast<double>(rows.bytes()), 1.2 * floats)
            << rows.size() << " of " << dimensions;
      }
    }
  }
}

TEST(RowChunks, OneVectorTakesLittleMoreThanItself) {
  for (const std::uint32_t dimensions : {1U, 10U, 128U, 300U, 1024U, 4096U}) {
    VectorRows rows(dimensions, DistanceFunction::kCosine);
    EXPECT_LE(rows.bytes(), 200U);
    rows.add(std::vector<float>(dimensions, 1));
    EXPECT_LE(rows.bytes(), std::max<std::size_t>(dimensions * sizeof(float), 1024) + 300);
  }
}

TEST(RowChunks, MemoryOfChunksThatAreEmptyIsGivenBack) {
  VectorRows rows(1024, DistanceFunction::kCosine);
  const std::size_t none = rows.bytes();
  const std::vector<float> vector(1024, 1);
  for (int i = 0; i < 2000; ++i) rows.add(vector);
  const std::size_t all = rows.bytes();
  for (Slot slot = 500; slot < 1500; ++slot) rows.remove(slot);
  EXPECT_LE(rows.bytes(), all - 800 * 4096);
  EXPECT_GT(rows.end(), 1999U);
  for (Slot slot = 1500; slot < 2000; ++slot) rows.remove(slot);
  EXPECT_LE(rows.bytes(), 500 * 4096 * 6 / 5);
  EXPECT_LE(rows.end(), 600U);
  for (Slot slot = 0; slot < 500; ++slot) rows.remove(slot);
  EXPECT_EQ(rows.bytes(), none);
  EXPECT_EQ(rows.end(), 0U);
  EXPECT_EQ(rows.add(vector), 0U);
}

}  // namespace
}  // namespace magneto::storage
