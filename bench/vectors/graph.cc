// Compares the cost and the benefit of an hnswlib graph with the exact search, on the same vectors.
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <unordered_set>
#include <vector>

#include "storage/index/vector/vector_rows.h"

namespace {

using magneto::storage::DistanceFunction;
using magneto::storage::VectorRows;

constexpr std::uint32_t kDimensions = 1024;
constexpr std::size_t kBest = 10;
constexpr int kQueries = 100;
constexpr std::size_t kLinks = 16;        // hnswlib's M, its default
constexpr std::size_t kCandidates = 200;  // ef_construction, its default
constexpr std::uint32_t kLatent = 64;     // dimensions of structured data

using Seconds = std::chrono::duration<double>;

template <class Action>
double seconds_of(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return Seconds(std::chrono::steady_clock::now() - start).count();
}

// Structured points lie in a space of a few dimensions within one of many, with some noise, as
// embeddings do. Other points are random in all dimensions, where no graph helps.
class Source {
 public:
  explicit Source(bool is_structured) : is_structured_(is_structured), directions_(kLatent) {
    for (auto& direction : directions_) direction = normal(kDimensions);
  }

  std::vector<float> next() {
    if (!is_structured_) return normal(kDimensions);
    const std::vector<float> place = normal(kLatent);
    std::vector<float> made = normal(kDimensions);
    for (std::uint32_t i = 0; i < kLatent; ++i) {
      for (std::uint32_t j = 0; j < kDimensions; ++j) made[j] += place[i] * directions_[i][j];
    }
    return made;
  }

 private:
  std::vector<float> normal(std::uint32_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = normal_(random_);
    return values;
  }

  bool is_structured_;
  std::mt19937 random_{kDimensions};
  std::normal_distribution<float> normal_;
  std::vector<std::vector<float>> directions_;
};

void measure(bool is_structured, std::size_t count) {
  Source source(is_structured);
  std::vector<std::vector<float>> vectors(count);
  std::vector<std::vector<float>> queries(kQueries);
  for (auto& vector : vectors) vector = source.next();
  for (auto& query : queries) query = source.next();

  VectorRows rows(kDimensions, DistanceFunction::kEuclidean);
  const double load = seconds_of([&] {
    for (const auto& vector : vectors) rows.add(vector);
  });
  hnswlib::L2Space space(kDimensions);
  hnswlib::HierarchicalNSW<float> graph(&space, count, kLinks, kCandidates);
  const double build = seconds_of([&] {
    for (std::size_t i = 0; i < count; ++i) graph.addPoint(vectors[i].data(), i);
  });

  std::vector<std::unordered_set<std::size_t>> exact(kQueries);
  const double search = seconds_of([&] {
    for (int i = 0; i < kQueries; ++i) {
      for (const auto& found : rows.search(queries[i], kBest)) exact[i].insert(found.slot);
    }
  });
  std::printf(
      "%s, %zu vectors of %u dimensions: exact: %.3f ms a vector to load, %.1f ms a search\n",
      is_structured ? "structured" : "random", count, kDimensions,
      1e3 * load / static_cast<double>(count), 1e3 * search / kQueries);
  std::printf("  graph: %.3f ms a vector to load\n", 1e3 * build / static_cast<double>(count));
  for (const std::size_t candidates : {10, 50, 100, 400, 1'600}) {
    graph.setEf(candidates);
    std::size_t hits = 0;
    const double graph_search = seconds_of([&] {
      for (int i = 0; i < kQueries; ++i) {
        auto found = graph.searchKnn(queries[i].data(), kBest);
        for (; !found.empty(); found.pop()) hits += exact[i].count(found.top().second);
      }
    });
    std::printf("  graph, ef %zu: %.2f ms a search, recall %.3f\n", candidates,
                1e3 * graph_search / kQueries,
                static_cast<double>(hits) / static_cast<double>(kQueries * kBest));
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t vectors = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 100'000;
  for (const bool is_structured : {true, false}) measure(is_structured, vectors);
  return 0;
}
