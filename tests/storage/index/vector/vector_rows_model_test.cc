#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/storage/index/vector/vector_reference.h"

namespace magneto::storage {
namespace {

using ModelSlot = VectorRows::Slot;

std::string name_of(DistanceFunction function) {
  return function == DistanceFunction::kCosine       ? "cosine"
         : function == DistanceFunction::kDotProduct ? "dot"
                                                     : "euclidean";
}

// Vectors of all kinds: round numbers, which tie often, normal ones, zeros, copies of another.
class Vectors {
 public:
  Vectors(std::uint32_t dimensions, std::uint32_t seed) : dimensions_(dimensions), random_(seed) {}

  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  std::vector<float> next() {
    std::vector<float> vector(dimensions_);
    const std::size_t kind = below(8);
    if (kind == 0) return vector;
    if (kind == 1 && !last_.empty()) return last_;
    std::normal_distribution<float> normal;
    const float scale = kind == 2 ? 1e-3F : kind == 3 ? 1e6F : 1;
    for (float& value : vector) {
      value = kind < 5 ? scale * normal(random_) : static_cast<float>(below(3)) - 1;
    }
    return last_ = vector;
  }

 private:
  const std::uint32_t dimensions_;
  std::mt19937 random_;
  std::vector<float> last_;
};

class VectorRowsModelTest : public testing::TestWithParam<DistanceFunction> {
 protected:
  struct Pair {
    Pair(std::uint32_t dimensions, DistanceFunction function)
        : rows(dimensions, function), model(dimensions, function) {}
    VectorRows rows;
    VectorReference model;
  };

  static void change(Pair& pair, Vectors& vectors) {
    auto& model = pair.model.vectors();
    const std::size_t what = vectors.below(10);
    if (model.empty() || what < 6) {
      const std::vector<float> vector = vectors.next();
      const ModelSlot slot = pair.rows.add(vector);
      ASSERT_TRUE(model.emplace(slot, vector).second) << "a slot that is in use";
      return;
    }
    const auto chosen = std::next(model.begin(), static_cast<long>(vectors.below(model.size())));
    if (what < 8) {
      chosen->second = vectors.next();
      pair.rows.replace(chosen->first, chosen->second);
    } else {
      pair.rows.remove(chosen->first);
      model.erase(chosen);
    }
  }

  static void search(Pair& pair, Vectors& vectors) {
    const std::vector<float> query = vectors.next();
    const std::size_t k = 1 + vectors.below(vectors.below(4) == 0 ? 100 : 10);
    pair.model.expect_exact(query, k, pair.rows.search(query, k), [](ModelSlot) { return true; });
    const std::size_t part = 1 + vectors.below(9);
    const auto accepts = [&](ModelSlot slot) { return slot % part == 0; };
    if (HasFatalFailure()) return;
    pair.model.expect_exact(query, k, pair.rows.search(query, k, accepts), accepts);
  }

  static void run(std::uint32_t dimensions, DistanceFunction function, int steps) {
    SCOPED_TRACE(dimensions);
    Pair pair(dimensions, function);
    Vectors vectors(dimensions, dimensions);
    for (int step = 0; step < steps; ++step) {
      change(pair, vectors);
      if (step % 16 == 0) search(pair, vectors);
      if (HasFatalFailure()) return;
    }
    const auto& model = pair.model.vectors();
    ASSERT_EQ(pair.rows.size(), model.size());
    for (const auto& [slot, vector] : model) {
      ASSERT_LT(slot, pair.rows.end());
      ASSERT_TRUE(std::ranges::equal(pair.rows.vector(slot), vector));
    }
  }
};

TEST_P(VectorRowsModelTest, AgreesAtFewDimensions) {
  for (std::uint32_t dimensions = 1; dimensions <= 40; ++dimensions) {
    run(dimensions, GetParam(), 1500);
    if (HasFatalFailure()) return;
  }
}

TEST_P(VectorRowsModelTest, AgreesAtManyDimensions) {
  run(128, GetParam(), 2500);
  run(1024, GetParam(), 800);
  run(4096, GetParam(), 300);
}

INSTANTIATE_TEST_SUITE_P(Functions, VectorRowsModelTest,
                         testing::Values(DistanceFunction::kCosine, DistanceFunction::kDotProduct,
                                         DistanceFunction::kEuclidean),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace magneto::storage
