#include "storage/index/vector/vector_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>

namespace magneto::storage {
namespace {

constexpr std::size_t kRows = 13;  // several groups of rows, and some left over

// Rows and query each end where their allocation ends, so that a sanitizer detects reads beyond it.
struct Input {
  Input(std::size_t floats, std::mt19937& random) : length(floats), query(floats) {
    std::normal_distribution<float> normal;
    for (float& value : query) value = normal(random);
    for (std::size_t i = 0; i < kRows; ++i) {
      memory.push_back(std::make_unique<float[]>(length));
      for (std::size_t j = 0; j < length; ++j) memory.back()[j] = normal(random);
      rows.push_back(memory.back().get());
    }
  }

  std::size_t length;
  std::vector<float> query;
  std::vector<std::unique_ptr<float[]>> memory;
  std::vector<const float*> rows;
};

struct Sums {
  double sum = 0;
  double of_absolutes = 0;
};

Sums dot_product_of(const Input& input, const float* row) {
  Sums sums;
  for (std::size_t j = 0; j < input.length; ++j) {
    const double product = double{input.query[j]} * double{row[j]};
    sums.sum += product;
    sums.of_absolutes += std::abs(product);
  }
  return sums;
}

Sums squared_distance_of(const Input& input, const float* row) {
  Sums sums;
  for (std::size_t j = 0; j < input.length; ++j) {
    const double difference = double{input.query[j]} - double{row[j]};
    sums.sum += difference * difference;
  }
  sums.of_absolutes = sums.sum;
  return sums;
}

// The bound of row_search.h.
void expect_within_bound(const Input& input, const Sums& expected, float found) {
  const double roundings = static_cast<double>(input.length + 2) * 0x1p-24;
  EXPECT_NEAR(expected.sum, double{found}, expected.of_absolutes * roundings / (1 - roundings));
}

void expect_good_sums(const VectorKernels& kernels, const Input& input, std::size_t count) {
  std::vector<float> results(kRows, -7);
  kernels.dot_products(input.query.data(), input.rows.data(), count, input.length, results.data());
  for (std::size_t i = 0; i < count; ++i) {
    expect_within_bound(input, dot_product_of(input, input.rows[i]), results[i]);
  }
  for (std::size_t i = count; i < kRows; ++i) EXPECT_EQ(results[i], -7);
  kernels.squared_distances(input.query.data(), input.rows.data(), count, input.length,
                            results.data());
  for (std::size_t i = 0; i < count; ++i) {
    expect_within_bound(input, squared_distance_of(input, input.rows[i]), results[i]);
  }
  for (std::size_t i = count; i < kRows; ++i) EXPECT_EQ(results[i], -7);
}

TEST(VectorKernels, TheWidestIsTheFirstThatRuns) {
  ASSERT_FALSE(runnable_vector_kernels().empty());
  EXPECT_EQ(runnable_vector_kernels().front(), &vector_kernels());
}

TEST(VectorKernels, EveryTargetSumsEveryLengthWithinTheBound) {
  std::mt19937 random(1);
  for (std::size_t length = 1; length <= 300; ++length) {
    const Input input(length, random);
    for (const VectorKernels* kernels : runnable_vector_kernels()) {
      SCOPED_TRACE(kernels->name + std::string(" at ") + std::to_string(length));
      expect_good_sums(*kernels, input, kRows);
      if (HasFailure()) return;
    }
  }
}

TEST(VectorKernels, EveryTargetSumsEveryNumberOfRows) {
  std::mt19937 random(2);
  for (const std::size_t length : {std::size_t{5}, std::size_t{77}, std::size_t{4096}}) {
    const Input input(length, random);
    for (const VectorKernels* kernels : runnable_vector_kernels()) {
      for (std::size_t count = 0; count <= kRows; ++count) {
        SCOPED_TRACE(kernels->name + std::string(", rows: ") + std::to_string(count));
        expect_good_sums(*kernels, input, count);
      }
    }
  }
}

TEST(VectorKernels, EachElementCountsOnceWhereverItStands) {
  for (const VectorKernels* kernels : runnable_vector_kernels()) {
    for (std::size_t length = 1; length <= 100; ++length) {
      std::vector<float> query(length, 1);
      std::vector<float> row(length, 0);
      for (std::size_t at = 0; at < length; ++at) {
        row[at] = 3;
        const float* rows[] = {row.data()};
        float sum = 0;
        kernels->dot_products(query.data(), rows, 1, length, &sum);
        EXPECT_EQ(sum, 3) << kernels->name << " at " << at << " of " << length;
        kernels->squared_distances(query.data(), rows, 1, length, &sum);
        EXPECT_EQ(sum, static_cast<float>(length + 3)) << kernels->name << " at " << at;
        row[at] = 0;
      }
    }
  }
}

TEST(VectorKernels, DistancesTooLargeAreInfinite) {
  const float greatest = std::numeric_limits<float>::max();
  for (const VectorKernels* kernels : runnable_vector_kernels()) {
    for (std::size_t length = 1; length <= 70; ++length) {
      const std::vector<float> query(length, greatest);
      const std::vector<float> row(length, -greatest);
      const float* rows[] = {row.data()};
      float sum = 0;
      kernels->squared_distances(query.data(), rows, 1, length, &sum);
      EXPECT_EQ(sum, std::numeric_limits<float>::infinity()) << kernels->name;
    }
  }
}

}  // namespace
}  // namespace magneto::storage
