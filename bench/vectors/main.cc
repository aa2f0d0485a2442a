// Runs queries one after the other over the same rows, alternately here and with faiss's flat
// index.
#include <faiss/IndexFlat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "storage/index/vector/vector_kernels.h"
#include "storage/index/vector/vector_rows.h"

namespace {

using magneto::storage::DistanceFunction;
using magneto::storage::VectorRows;

constexpr std::size_t kRows = 100'000;
constexpr std::size_t kBest = 10;
constexpr int kRounds = 15;

template <class Action>
double milliseconds_of(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<float> random_floats(std::mt19937& random, std::size_t count) {
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

void measure(std::uint32_t dimensions, DistanceFunction function) {
  const bool is_dot = function != DistanceFunction::kEuclidean;
  std::mt19937 random(dimensions);
  VectorRows rows(dimensions, function);
  faiss::IndexFlat flat(dimensions, is_dot ? faiss::METRIC_INNER_PRODUCT : faiss::METRIC_L2);
  {
    const std::vector<float> data = random_floats(random, kRows * dimensions);
    for (std::size_t i = 0; i < kRows; ++i) rows.add({data.data() + i * dimensions, dimensions});
    flat.add(kRows, data.data());
  }
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> filtered;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<float> query = random_floats(random, dimensions);
    std::vector<float> scores(kBest);
    std::vector<faiss::Index::idx_t> slots(kBest);
    std::vector<VectorRows::Found> found;
    theirs.push_back(
        milliseconds_of([&] { flat.search(1, query.data(), kBest, scores.data(), slots.data()); }));
    ours.push_back(milliseconds_of([&] { found = rows.search(query, kBest); }));
    filtered.push_back(milliseconds_of(
        [&] { rows.search(query, kBest, [](VectorRows::Slot slot) { return slot % 10 == 0; }); }));
    if (function != DistanceFunction::kCosine && found.front().slot != slots.front()) {
      std::printf("another best: %u, %lld\n", found.front().slot,
                  static_cast<long long>(slots.front()));
    }
  }
  const char* name = !is_dot ? "L2" : function == DistanceFunction::kDotProduct ? "dot" : "cosine";
  const double bytes = static_cast<double>(kRows) * dimensions * sizeof(float);
  std::printf("| %u | %s | %.2f ms, %.1f GB/s | %.2f ms | %.2fx | %.2f ms | %.3fx |\n", dimensions,
              name, median(ours), bytes / median(ours) / 1e6, median(theirs),
              median(theirs) / median(ours), median(filtered),
              static_cast<double>(rows.bytes()) / bytes);
}

}  // namespace

int main() {
  std::printf("%zu vectors, the best %zu, kernels %s, medians of %d rounds\n\n", kRows, kBest,
              magneto::storage::vector_kernels().name, kRounds);
  std::printf(
      "| dimensions | function | here | faiss (cosine: dot) | speed | a filter that takes a tenth | memory |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const std::uint32_t dimensions : {1024U, 128U}) {
    for (const DistanceFunction function :
         {DistanceFunction::kEuclidean, DistanceFunction::kDotProduct, DistanceFunction::kCosine}) {
      measure(dimensions, function);
    }
  }
  return 0;
}
